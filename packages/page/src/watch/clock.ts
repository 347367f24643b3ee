/** The clock of page code, passed in so that a test can control it. */
export interface PageClock {
  readonly now: () => number;
  readonly setTimeout: (run: () => void, ms: number) => number;
  readonly clearTimeout: (handle: number | undefined) => void;
}

export const pageClock: PageClock = {
  now: () => performance.now(),
  setTimeout(run, ms) {
    if (!hasTimers()) return setTimeoutBySignal(run, ms);
    ours++;
    return window.setTimeout(run, ms);
  },
  clearTimeout(handle) {
    if (handle !== undefined && !bySignal.delete(handle)) window.clearTimeout(handle);
  },
};

/**
 * With `Content-Security-Policy: sandbox` and no `allow-scripts` no timer fires in any world; listeners and
 * signal timeouts do.
 */
const hasTimers = (): boolean => !window.matchMedia('(scripting: none)').matches;

/** Negative keys, as timer handles are positive. */
const bySignal = new Map<number, () => void>();
let made = 0;

function setTimeoutBySignal(run: () => void, ms: number): number {
  const handle = --made;
  bySignal.set(handle, run);
  AbortSignal.timeout(Math.max(0, Math.ceil(ms))).addEventListener('abort', () => {
    const waiting = bySignal.get(handle);
    bySignal.delete(handle);
    waiting?.();
  });
  return handle;
}

let ours = 0;

/**
 * How many timers the page has set so far. Handles count up in a window, whichever world sets a timer
 * (https://html.spec.whatwg.org/#timer-initialisation-steps).
 */
export function timersSet(): number {
  if (!hasTimers()) return 0;
  ours++;
  const handle = window.setTimeout(() => {}, 0);
  window.clearTimeout(handle);
  return handle - ours;
}
