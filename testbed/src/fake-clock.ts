export type TimerHandle = number;

/** Clock and timers to pass into a core: time moves only when a test advances it. */
export interface FakeClock {
  /** Wall time in milliseconds, like `Date.now()`. */
  readonly now: () => number;
  /** As a `Clock` has it: returns the cancel function. */
  readonly after: (ms: number, run: () => void) => () => void;
  setTimeout(run: () => void, ms: number): TimerHandle;
  clearTimeout(handle: TimerHandle | undefined): void;
  setInterval(run: () => void, ms: number): TimerHandle;
  clearInterval(handle: TimerHandle | undefined): void;
  /**
   * Advances time and runs due timers in time order, ties in the order they were set, including timers set on
   * the way. An error of a timer is thrown from here, and time stops at that timer.
   */
  advance(ms: number): void;
  /** Like `advance`, but lets pending promise callbacks run before the first timer and after each one. */
  advanceAsync(ms: number): Promise<void>;
  /**
   * Moves the wall clock without running a timer, as after a laptop's sleep: each timer keeps its remaining
   * delay. Backwards when negative.
   */
  jump(ms: number): void;
  /** The wall time at which the next timer runs. */
  nextAt(): number | undefined;
  /** Number of waiting timers. */
  pending(): number;
}

interface Timer {
  readonly dueAt: number;
  readonly order: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

/** Real timers fire at once beyond this delay: an overflow that a test should see instead of waiting. */
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
    after: (ms, run) => {
      const handle = set(run, ms, false);
      return () => clear(handle);
    },
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

/**
 * As in Node, the minimum delay is 1 ms, so that a timer that sets itself again cannot block `advance`
 * forever.
 */
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

/** One turn of the real event loop, after which every ready promise callback has run. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
