import type { Clock } from '@drawbridge/manifest';
import type { FakeClock } from '@drawbridge/testbed';

export function clockOf(fake: FakeClock): Clock {
  return {
    now: () => fake.now(),
    sleep: (ms, cancellation) =>
      new Promise((resolve) => {
        const timer = fake.setTimeout(resolve, ms);
        cancellation?.onCancel(() => {
          fake.clearTimeout(timer);
          resolve();
        });
      }),
  };
}
