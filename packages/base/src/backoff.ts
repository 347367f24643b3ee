export interface BackoffOptions {
  /** Upper limit of the first wait. */
  readonly minMs?: number;
  readonly maxMs?: number;
  /** At least 0 and below 1. */
  readonly random?: () => number;
}

export interface Backoff {
  /** Wait before the next attempt. */
  readonly next: () => number;
  readonly reset: () => void;
}

export const BACKOFF_MIN_MS = 500;
export const BACKOFF_MAX_MS = 30_000;

/** Exponential backoff. Half of each wait is jitter, so that peers cut off by a restart do not return at once. */
export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { minMs = BACKOFF_MIN_MS, maxMs = BACKOFF_MAX_MS, random = Math.random } = options;
  let wait = minMs;
  return {
    next: () => {
      const longest = Math.min(wait, maxMs);
      wait = longest * 2;
      return Math.round((longest / 2) * (1 + random()));
    },
    reset: () => {
      wait = minMs;
    },
  };
}
