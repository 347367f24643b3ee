export interface BackoffOptions {
  /** The longest first wait. */
  readonly minMs?: number;
  /** The longest wait of all. */
  readonly maxMs?: number;
  /** At least 0 and below 1. */
  readonly random?: () => number;
}

export interface Backoff {
  /** How long to wait before the next try. */
  readonly next: () => number;
  readonly reset: () => void;
}

export const BACKOFF_MIN_MS = 500;
export const BACKOFF_MAX_MS = 30_000;

/** Doubles from try to try. Half of each wait is drawn, so that peers a restart cut off don't return as one. */
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
