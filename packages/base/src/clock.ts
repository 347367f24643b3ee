/** Time is passed in, so that a test or a simulation can move it. */
export interface Clock {
  /** Wall clock in milliseconds since 1970, for timestamps; it may jump, so never for timeouts. */
  readonly now: () => number;
  /** Runs once after this time by a monotonic clock. Returns the cancel function. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Resolves after this time, or on abort. */
export function delay(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end);
  });
}
