import type { Clock } from '@drawbridge/manifest';
import { onAbort } from '@drawbridge/protocol';
import type { FakeClock } from '@drawbridge/testbed';

export function clockOf(fake: FakeClock): Clock {
  return {
    now: () => fake.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const timer = fake.setTimeout(resolve, ms);
        if (signal === undefined) return;
        onAbort(signal, () => {
          fake.clearTimeout(timer);
          resolve();
        });
      }),
  };
}
