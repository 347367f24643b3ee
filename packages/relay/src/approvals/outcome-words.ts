import { plainLine } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import type { CallError } from '../server/quotas/call-quota.ts';
import { fieldsOf, inQuotes, type StepWords } from '../threads/step-words.ts';

const MAX_CHARS = 200;

/** How an allowed call ended: "Done: Pressed “Pay 49 €”." */
export function outcomeWords(words: StepWords, error: CallError | undefined): string {
  if (error === undefined) return `Done: ${words.done}.`;
  const reason = plainLine(error.message, MAX_CHARS);
  return words.isStep && isCutOff(error)
    ? `${words.doing}. ${CUT_OFF} ${reason}`
    : `Not done: ${words.doing}. ${reason}`;
}

/** Whether the call was ended under way, also by the end of its browser: the page may have got it. */
export const isCutOff = ({ code, evidence }: CallError): boolean =>
  evidence?.['sent'] !== false &&
  !BEFORE_IT_BEGAN.has(evidence?.['step']) &&
  (evidence?.['cancelled'] === true || CUT_CODES.has(code));
export const CUT_OFF = 'The call was cut off, and may have been done. Look at the tab.';
const CUT_CODES: ReadonlySet<string> = new Set(['transport_failed', 'cancelled', 'handler_timeout']);
/** Steps of a runtime before it acts. */
const BEFORE_IT_BEGAN: ReadonlySet<unknown> = new Set(['waiting for permission', 'waiting for its turn']);

/**
 * Describes the reaction of the page: its messages, or the beginning of the page it led to. The output of a primitive
 * that reads (a clipboard, a response body) is for the agent alone.
 */
export function seenIn(name: string, output: unknown, nextPage: unknown): string {
  const { effect, ...others } = fieldsOf(output);
  if (effect === undefined) return primitiveByName(name) === undefined ? resultOf(others) : '';
  const { successes, messages, errors, url } = fieldsOf(effect);
  const said = [...textsOf(successes), ...textsOf(errors), ...textsOf(messages)];
  const shown = said.length > 0 ? said : pageStart(nextPage);
  if (shown.length > 0) {
    const quoted = inQuotes(shown.slice(0, 2).join(' '), MAX_CHARS);
    return `The page says: ${quoted}${/[.!?…]”$/.test(quoted) ? '' : '.'}`;
  }
  const { to } = fieldsOf(url);
  return typeof to === 'string' ? `The page is now ${plainLine(to.replace(/[?#].*$/, ''), MAX_CHARS)}.` : '';
}

/** Whether the call led to another page, whose text is not in its output. */
export const hasLeft = (output: unknown): boolean =>
  fieldsOf(fieldsOf(output)['effect'])['navigation'] === 'document';

/** The first heading of a look and the text below it; without a heading, its first text. */
function pageStart(look: unknown): readonly string[] {
  const { context } = fieldsOf(look);
  const lines = Array.isArray(context) ? context.map(fieldsOf) : [];
  const heading = lines.findIndex(({ kind }) => kind === 'heading');
  const below = lines.slice(heading + 1).find(({ kind }) => kind !== 'heading');
  return textsOf([lines[heading]?.['text'], below?.['text']]);
}

/** `Result: “order: LO-1001, total: 102.90 €”.`, of the plain values that a tool returns. */
function resultOf(fields: Readonly<Record<string, unknown>>): string {
  const line = Object.entries(fields)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .slice(0, 4)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
    .join(', ');
  return line === '' ? '' : `Result: ${inQuotes(line, MAX_CHARS)}.`;
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
