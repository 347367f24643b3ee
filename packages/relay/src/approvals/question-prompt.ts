import type { Answer, Question } from '@drawbridge/protocol';

const MAX_DATA_LINES = 14;

/** What a person reads on a phone: verb, object, place, what leaves. */
export function promptTextOf({ sentence, origin, data, effect }: Question): string {
  const shown = data.slice(0, MAX_DATA_LINES);
  const unsaid = data.length - shown.length;
  return [
    sentence,
    `Where: ${origin}`,
    ...shown.map((line) => `· ${line}`),
    ...(unsaid > 0 ? [`and ${unsaid} more, which are not shown.`] : []),
    ...(effect === 'irreversible' ? ['It may not be undone.'] : []),
  ].join('\n');
}

const ONCE = { choice_id: 'once', label: 'Allow once', is_default: false, effect: 'allow' };
const ALWAYS = { choice_id: 'always', label: 'Always allow here', is_default: false, effect: 'allow' };
const DENY = { choice_id: 'deny', label: 'Deny', is_default: true, effect: 'deny' };

/** What may not be undone is asked for each time. */
export const choicesOf = ({ effect }: Question) =>
  effect === 'irreversible' ? [ONCE, DENY] : [ONCE, ALWAYS, DENY];

/** Whatever else was chosen denies. */
export const decisionOf = (choice_id: string): Answer['decision'] =>
  choice_id === 'once' || choice_id === 'always' ? choice_id : 'deny';
