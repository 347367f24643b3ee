/** What a live page says about one part of a map. */
export type DriftStatus =
  | 'ok'
  /** Found, but only by a selector that was meant for worse days. */
  | 'fallback'
  /** Several elements fit where one is meant. */
  | 'ambiguous'
  | 'missing'
  /** Not there, which may be right: another state, or something that need not be there. */
  | 'unsure'
  /** Its url is not this page's. */
  | 'elsewhere'
  /** Could not be looked for at all. */
  | 'failed';

export const DRIFT_STATUSES: readonly DriftStatus[] = [
  'missing',
  'failed',
  'ambiguous',
  'fallback',
  'unsure',
  'elsewhere',
  'ok',
];

/** An element that may be what the map means. A person decides; nothing is applied. */
export interface Repair {
  /** Means this element and no other on the page. */
  readonly selector: string;
  readonly role: string;
  readonly name: string;
  /** From 0 to 1: a guess. */
  readonly confidence: number;
  /** What speaks for it. */
  readonly because: string;
}

export interface DriftPart {
  /** Where it stands in the map. */
  readonly pointer: string;
  /** `tool cart.add`. */
  readonly part: string;
  readonly status: DriftStatus;
  readonly why: string;
  readonly selector?: string;
  readonly count?: number;
  readonly repairs: readonly Repair[];
}

export interface DriftReport {
  readonly url: string;
  /** Nothing is missing, and everything could be looked for. */
  readonly ok: boolean;
  readonly counts: Readonly<Record<DriftStatus, number>>;
  readonly parts: readonly DriftPart[];
}
