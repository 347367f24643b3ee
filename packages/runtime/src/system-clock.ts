import type { Clock } from '@drawbridge/manifest';

export const systemClock: Clock = {
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
