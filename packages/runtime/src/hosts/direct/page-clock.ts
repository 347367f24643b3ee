import type { Clock } from '@drawbridge/manifest';

/** Time in a page. A tab in the background gets its timers late. */
export const pageClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, cancellation) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        release?.();
        resolve();
      };
      const timer = setTimeout(end, ms);
      const release = cancellation?.onCancel(end);
      if (cancellation?.cancelled === true) end();
    }),
};
