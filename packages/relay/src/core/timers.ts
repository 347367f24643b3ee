import type { CoreClock } from './ports.ts';

interface Timers {
  /** Runs after this time, unless it is cancelled or the relay stops first. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly close: () => void;
}

/** The longest delay of a timer; a proxy may ask for a prompt that lasts longer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export function createTimers(clock: CoreClock): Timers {
  const waiting = new Set<() => void>();
  let closed = false;

  const after = (ms: number, run: () => void): (() => void) => {
    if (closed) return () => {};
    let rest = Math.max(0, ms);
    let stop = () => {};
    const cancel = (): void => {
      stop();
      waiting.delete(cancel);
    };
    const wait = (): void => {
      const part = Math.min(rest, LONGEST_WAIT_MS);
      rest -= part;
      stop = clock.after(part, () => {
        if (rest > 0) {
          wait();
          return;
        }
        waiting.delete(cancel);
        run();
      });
    };
    waiting.add(cancel);
    wait();
    return cancel;
  };

  return {
    after,
    close: () => {
      closed = true;
      for (const cancel of waiting) cancel();
    },
  };
}
