export type TimerHandle = number;

/** Time that moves only when a test says so: the clock and the timers to pass into a core. */
export interface FakeClock {
  /** Wall time in milliseconds, as `Date.now()` would tell it. */
  now(): number;
  setTimeout(run: () => void, ms: number): TimerHandle;
  clearTimeout(handle: TimerHandle | undefined): void;
  setInterval(run: () => void, ms: number): TimerHandle;
  clearInterval(handle: TimerHandle | undefined): void;
  /**
   * Moves time on and runs what falls due on the way: in time order, ties in the order they were set,
   * timers set on the way included. What a timer throws comes out of here, with time standing still at it.
   */
  advance(ms: number): void;
  /** Like `advance`, but lets pending promise callbacks run before the first timer and after each one. */
  advanceAsync(ms: number): Promise<void>;
  /**
   * Moves the wall clock without running a timer, as when a laptop wakes from sleep or the time is set:
   * each timer still has to wait as long as before. Backwards when negative.
   */
  jump(ms: number): void;
  /** The wall time at which the next timer runs. */
  nextAt(): number | undefined;
  /** How many timers are waiting. */
  pending(): number;
}

interface Timer {
  readonly dueAt: number;
  readonly order: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

/** Real timers run at once when asked for more than this: an overflow that a test should see, not wait for. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export function createFakeClock(startMs = 0): FakeClock {
  const timers = new Map<TimerHandle, Timer>();
  let elapsed = 0;
  let wallOffset = startMs;
  let handles = 0;
  let orders = 0;
  let advancing = false;

  const arm = (handle: TimerHandle, run: () => void, ms: number, every: number | undefined): void => {
    orders += 1;
    timers.set(handle, { dueAt: elapsed + ms, order: orders, every, run });
  };

  const set = (run: () => void, ms: number, repeats: boolean): TimerHandle => {
    const delay = checkedDelay(ms);
    handles += 1;
    arm(handles, run, delay, repeats ? delay : undefined);
    return handles;
  };

  const clear = (handle: TimerHandle | undefined): void => {
    if (handle !== undefined) timers.delete(handle);
  };

  const runNext = (until: number): boolean => {
    const next = earliest(timers);
    if (next === undefined || next[1].dueAt > until) return false;
    const [handle, timer] = next;
    elapsed = timer.dueAt;
    timers.delete(handle);
    if (timer.every !== undefined) arm(handle, timer.run, timer.every, timer.every);
    timer.run();
    return true;
  };

  const startAdvancing = (ms: number): number => {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new RangeError(`advance(${ms}): time only moves forwards`);
    if (advancing) throw new Error('The clock is already advancing: a timer must not advance it itself.');
    advancing = true;
    return elapsed + ms;
  };

  return {
    now: () => wallOffset + elapsed,
    setTimeout: (run, ms) => set(run, ms, false),
    clearTimeout: clear,
    setInterval: (run, ms) => set(run, ms, true),
    clearInterval: clear,
    advance: (ms) => {
      const until = startAdvancing(ms);
      try {
        while (runNext(until));
        elapsed = until;
      } finally {
        advancing = false;
      }
    },
    advanceAsync: async (ms) => {
      const until = startAdvancing(ms);
      try {
        do await promisesSettled();
        while (runNext(until));
        elapsed = until;
      } finally {
        advancing = false;
      }
    },
    jump: (ms) => {
      wallOffset += ms;
    },
    nextAt: () => {
      const next = earliest(timers);
      return next === undefined ? undefined : wallOffset + next[1].dueAt;
    },
    pending: () => timers.size,
  };
}

/** As in Node, nothing is due sooner than in 1 ms: a timer that sets itself again can't hold `advance` forever. */
function checkedDelay(ms: number): number {
  if (!(ms <= LONGEST_DELAY_MS)) {
    throw new RangeError(
      `A timer of ${ms} ms would run at once on a real clock: the longest is 2^31 - 1 ms.`,
    );
  }
  return Math.max(1, ms);
}

function earliest(timers: ReadonlyMap<TimerHandle, Timer>): [TimerHandle, Timer] | undefined {
  let first: [TimerHandle, Timer] | undefined;
  for (const entry of timers) {
    if (first === undefined || runsBefore(entry[1], first[1])) first = entry;
  }
  return first;
}

function runsBefore(a: Timer, b: Timer): boolean {
  return a.dueAt === b.dueAt ? a.order < b.order : a.dueAt < b.dueAt;
}

/** A turn of the real event loop: every promise callback that is ready runs before it comes. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
