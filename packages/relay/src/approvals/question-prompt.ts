import { type Answer, plainLine, type Question, siteName } from '@drawbridge/protocol';

const MAX_DATA_LINES = 14;
const MAX_LINE_CHARS = 400;

/**
 * The text a person reads on a phone: verb, object, place, data that leaves. One line each, flattened here
 * again because a runtime is untrusted. The web app and the side panel parse it by line
 * (`ui/prompt/read-prompt.ts`).
 */
export function promptTextOf(question: Question): string {
  const {
    sentence,
    origin,
    data,
    effect,
    destination,
    amounts = [],
    prices = [],
    goods = [],
    sends = [],
    changed,
  } = question;
  const { asked_by, tool, steps = [] } = question;
  const shown = data.slice(0, MAX_DATA_LINES);
  const unsaid = data.length - shown.length;
  return [
    sentence,
    `Where: ${siteName(origin)}`,
    ...(asked_by === undefined ? [] : [`Asked by: ${asked_by}`]),
    ...locationLines(question),
    ...(tool === undefined ? [] : [`Tool: ${tool}`]),
    ...(destination === undefined ? [] : [`Sends to: ${destination}`]),
    ...amounts.map((line) => `Amount: ${line}`),
    ...prices.map((line) => `Price on the page: ${line}`),
    ...goods.map((line) => `Goods: ${line}`),
    ...(changed === undefined ? [] : [changed.since === 'allowed' ? SINCE_ALLOWED : SINCE_ASKED]),
    ...(changed?.before ?? []).map((line) => `Before: ${line}`),
    ...(changed?.now ?? []).map((line) => `Now: ${line}`),
    ...sends.map((line) => `Sends: ${line}`),
    ...steps.map((line) => `Step: ${line}`),
    ...shown.map((line) => `· ${line}`),
    ...(unsaid > 0 ? [`and ${unsaid} more, which are not shown.`] : []),
    ...(effect === 'irreversible' ? [FINAL] : []),
  ]
    .map((line) => plainLine(line, MAX_LINE_CHARS))
    .join('\n');
}

function locationLines({ page, origin }: Question): string[] {
  if (page === undefined) return [];
  if (page.origin !== origin)
    return [`In a frame on: ${[page.title, page.origin].filter(Boolean).join(' · ')}`];
  return page.title === '' ? [] : [`Page: ${page.title}`];
}

const SINCE_ASKED = 'Changed while you were asked.';
const SINCE_ALLOWED = 'Changed since you last allowed it.';
const FINAL = 'This can’t be undone.';

const ONCE = { choice_id: 'once', label: 'Allow once', is_default: false, effect: 'allow' };
const ALWAYS = { choice_id: 'always', label: 'Always allow here', is_default: false, effect: 'allow' };
/** The `name` of a question whether an agent may use the lent tabs at all (CHT-361). */
export const LENDING = 'browser.lend';
const LEND = { choice_id: 'lend', label: 'Allow in this conversation', is_default: false, effect: 'allow' };
const DENY = { choice_id: 'deny', label: 'Deny', is_default: true, effect: 'deny' };

/** An irreversible action needs an answer each time; an address stays open as long after any yes. */
export const choicesOf = ({ effect, name, kind }: Question) => {
  if (name === LENDING) return [LEND, DENY];
  return effect === 'irreversible' || kind === 'address' ? [ONCE, DENY] : [ONCE, ALWAYS, DENY];
};

/** Any other choice denies. */
export function decisionOf(choice_id: string): Answer['decision'] {
  if (choice_id === 'lend') return 'once';
  return choice_id === 'once' || choice_id === 'always' ? choice_id : 'deny';
}
