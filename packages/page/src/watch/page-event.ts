import { cutText } from '../perceive/text.ts';

/** What a change of the page meant to a person. */
export type EventKind = 'added' | 'changed' | 'error' | 'success' | 'dialog' | 'closed';

export interface PageEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly text: string;
}

/** Contract 4: at most 200 characters an entry. */
const ENTRY_LIMIT = 200;

/** `[3s ago] Added: 'Success'` */
export function formatEvent({ at, kind, text }: PageEvent, now: number): string {
  // Contract 4 writes a success as something added; that it is one is said by `hasSuccess`.
  const word = kind === 'success' ? 'added' : kind;
  const what = word.charAt(0).toUpperCase() + word.slice(1);
  const age = `[${Math.max(0, Math.round((now - at) / 1000))}s ago] ${what}: '`;
  return `${age}${cutText(text, ENTRY_LIMIT - age.length - 1)}'`;
}
