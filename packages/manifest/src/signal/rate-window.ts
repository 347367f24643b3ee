/** When the last admitted ones came, oldest first; never more than `max` of them. */
export type RateWindow = readonly number[];

export interface Rate {
  readonly max: number;
  readonly perMs: number;
}

/**
 * Admits at most `max` within any `perMs`, wherever that stretch of time begins: undefined means no. A clock
 * that was set back counts as standing still, so that setting it cannot open the gate.
 */
export function admit(window: RateWindow, now: number, { max, perMs }: Rate): RateWindow | undefined {
  const time = Math.max(now, window.at(-1) ?? now);
  const recent = window.filter((at) => at > time - perMs);
  return recent.length < max ? [...recent, time] : undefined;
}
