/** When the last admitted ones came, oldest first; never more than `max` of them. */
export type RateWindow = readonly number[];

export interface Rate {
  readonly max: number;
  readonly perMs: number;
}

export interface RateAnswer {
  readonly admitted: boolean;
  /** To be kept, also after a no. */
  readonly window: RateWindow;
}

/**
 * Admits at most `max` within any `perMs`, wherever that stretch of time begins. After a clock was set back,
 * what came before counts as just now: that opens no gate, and closes none for longer than `perMs`.
 */
export function admit(window: RateWindow, now: number, { max, perMs }: Rate): RateAnswer {
  const recent = window.map((at) => Math.min(at, now)).filter((at) => at > now - perMs);
  const admitted = recent.length < max;
  return { admitted, window: admitted ? [...recent, now] : recent };
}
