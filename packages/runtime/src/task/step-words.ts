import { type Action, formatAction } from '@drawbridge/protocol';
import { MASK } from '@drawbridge/protocol/secrets';
import type { Subject } from './task-event.ts';
import type { Acted } from './task-page.ts';

/** The action for events and storage, with secrets masked (INT-277). */
export const shownAction = (action: Action, isSecret: boolean): string =>
  formatAction(
    isSecret ? { ...action, args: action.args.map((value, index) => (index === 1 ? MASK : value)) } : action,
  );

/** "click “Add to cart”" */
export const actWords = (shown: string, subject: Subject | undefined): string =>
  subject === undefined || subject.name === ''
    ? shown
    : `${shown.slice(0, shown.indexOf('('))} “${subject.name}”`;

export function outcomeWords(words: string, acted: Acted): string {
  if (!acted.ok) return `${words} failed: ${acted.error.message}`;
  const { effect } = acted;
  const anew = effect.healed === undefined ? '' : ' (it had been drawn anew, and was found again)';
  return effect.passed ? `${words}: done${anew}` : `${words}: ${effect.message}`;
}
