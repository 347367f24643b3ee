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
      // An already cancelled one calls back synchronously, before `release` is assigned.
      release = cancellation?.onCancel(end) ?? release;
    }),
};
