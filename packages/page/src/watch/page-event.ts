import { cutText } from '../perceive/text.ts';

/** Meaning of a page change for a person. */
export type EventKind = 'added' | 'changed' | 'error' | 'success' | 'dialog' | 'closed';

export interface PageEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly text: string;
}

/** Contract 4: at most 200 characters per entry. */
const ENTRY_LIMIT = 200;

/** `[3s ago] Added: 'Success'` */
export function formatEvent({ at, kind, text }: PageEvent, now: number): string {
  // Contract 4 formats a success as an addition; `hasSuccess` marks it.
  const word = kind === 'success' ? 'added' : kind;
  const what = word.charAt(0).toUpperCase() + word.slice(1);
  const age = `[${Math.max(0, Math.round((now - at) / 1000))}s ago] ${what}: '`;
  return `${age}${cutText(text, ENTRY_LIMIT - age.length - 1)}'`;
}
