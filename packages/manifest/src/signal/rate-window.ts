/** Times of the last admitted events, oldest first; at most `max`. */
export type RateWindow = readonly number[];

export interface Rate {
  readonly max: number;
  readonly perMs: number;
}

export interface RateAnswer {
  readonly admitted: boolean;
  /** Store it, also after a refusal. */
  readonly window: RateWindow;
}

/**
 * Sliding window: admits at most `max` events within any `perMs`. After the clock was set back, earlier
 * events count as now, so no extra event is admitted and none is blocked for longer than `perMs`.
 */
export function admit(window: RateWindow, now: number, { max, perMs }: Rate): RateAnswer {
  const recent = window.map((at) => Math.min(at, now)).filter((at) => at > now - perMs);
  const admitted = recent.length < max;
  return { admitted, window: admitted ? [...recent, now] : recent };
}
