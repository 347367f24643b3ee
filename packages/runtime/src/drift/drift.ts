/** State of one part of a map on a live page. */
export type DriftStatus =
  | 'ok'
  /** Found only by a fallback selector. */
  | 'fallback'
  /** Several elements fit a target for one. */
  | 'ambiguous'
  | 'missing'
  /** Absent, which may be correct: another state, or an optional element. */
  | 'unsure'
  /** The part's url is not this page's. */
  | 'elsewhere'
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

/** A candidate for a missing element. A person decides; nothing is applied. */
export interface Repair {
  /** Matches this element only. */
  readonly selector: string;
  readonly role: string;
  readonly name: string;
  /** A guess from 0 to 1. */
  readonly confidence: number;
  /** The evidence for this candidate. */
  readonly because: string;
}

export interface DriftPart {
  /** JSON pointer into the map. */
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
  /** No part is missing or failed. */
  readonly ok: boolean;
  readonly counts: Readonly<Record<DriftStatus, number>>;
  readonly parts: readonly DriftPart[];
}
