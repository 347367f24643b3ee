/** Kinds of expected outcomes (INT-247). */
export const OUTCOME_KINDS = [
  'navigation',
  'element_appears',
  'element_disappears',
  'value_changes',
  'state_changes',
  'download_starts',
  'any_change',
  'no_change',
] as const;

export type OutcomeKind = (typeof OUTCOME_KINDS)[number];
