import type { Clock } from '@drawbridge/manifest';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, cancellation) =>
    new Promise((resolve) => {
      let release = () => {};
      const end = () => {
        clearTimeout(timer);
        release();
        resolve();
      };
      const timer = setTimeout(end, ms);
      // One that is cancelled already calls back at once, before it has given us its release.
      release = cancellation?.onCancel(end) ?? release;
    }),
};
