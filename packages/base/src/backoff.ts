export interface BackoffOptions {
  /** Upper limit of the first wait. */
  readonly minMs?: number;
  readonly maxMs?: number;
  /** At least 0 and below 1. */
  readonly random?: () => number;
}

export type Backoff = ReturnType<typeof createBackoff>;

export const BACKOFF_MIN_MS = 500;
export const BACKOFF_MAX_MS = 30_000;

/** Exponential backoff. Half of each wait is jitter, so that peers cut off by a restart do not return at once. */
export function createBackoff(options: BackoffOptions = {}) {
  const { minMs = BACKOFF_MIN_MS, maxMs = BACKOFF_MAX_MS, random = Math.random } = options;
  let wait = minMs;
  return {
    /** Wait before the next attempt. */
    next: (): number => {
      const longest = Math.min(wait, maxMs);
      wait = longest * 2;
      return Math.round((longest / 2) * (1 + random()));
    },
    reset: (): void => {
      wait = minMs;
    },
  };
}
