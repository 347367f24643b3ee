import { cutText } from '../perceive/text.ts';

/** What a change of the page meant to a person. */
export type EventKind = 'added' | 'changed' | 'error' | 'success' | 'dialog' | 'closed';

export interface PageEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly text: string;
}

/** Contract 4 writes a success as something added; that it is one is said by `hasSuccess`. */
const WORDS: Readonly<Record<EventKind, string>> = {
  added: 'Added',
  changed: 'Changed',
  error: 'Error',
  success: 'Added',
  dialog: 'Dialog',
  closed: 'Closed',
};

/** Contract 4: at most 200 characters an entry. */
const ENTRY_LIMIT = 200;

/** `[3s ago] Added: 'Success'` */
export function formatEvent({ at, kind, text }: PageEvent, now: number): string {
  const age = `[${Math.max(0, Math.round((now - at) / 1000))}s ago] ${WORDS[kind]}: '`;
  return `${age}${cutText(text, ENTRY_LIMIT - age.length - 1)}'`;
}
