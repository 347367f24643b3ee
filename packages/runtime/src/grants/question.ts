import { isAmount } from '@drawbridge/page/calls';
import { type EffectClass, plainLine, type Question, quotedLine, siteName } from '@drawbridge/protocol';
import { saysCommit } from '@drawbridge/protocol/wording';
import type { AskedContent, AskedField } from './asked-content.ts';
import type { ElementContext } from './element-context.ts';
import { paidOf } from './paid-amount.ts';

const MAX_NAME_CHARS = 80;
const MAX_VALUE_CHARS = 160;
const MAX_ADDRESS_CHARS = 300;
const MAX_LINES = 12;
const MAX_SHOWN_FIELDS = 12;
const MAX_CHANGES = 6;
const START_CHARS = 60;
const END_CHARS = 70;
const WORDS_IN_A_ROW = 8;
const MAX_SEARCHED_WORDS = 400;
const AROUND_CHARS = 40;

/** Describes a call in one sentence for the person who decides. */
export function sentenceOf(
  name: string,
  origin: string,
  effect: EffectClass,
  elementContext?: ElementContext,
): string {
  const action = plainLine(name, MAX_NAME_CHARS);
  const reason = /[._]wait/.test(name) ? 'by itself' : `because of ${action}`;
  const cause = elementContext?.byItself === true ? ` The page sends it ${reason}.` : '';
  if (effect === 'act' && elementContext?.form !== undefined)
    return `Send this form to ${hostOf(elementContext.form.to)}?${cause} A yes stands for this form while the tab is lent.`;
  if (cause !== '')
    return `Send the form ${named(elementContext?.label ?? '')} at ${plainLine(siteName(origin), MAX_ADDRESS_CHARS)}?${cause} This can’t be undone.`;
  if (effect === 'read')
    return `Read pages of ${hostOf(origin)}? A yes counts for this site while the tab is lent.`;
  const what = elementContext?.label === undefined ? action : `${action} on ${named(elementContext.label)}`;
  const classified = effect === 'irreversible' ? '. This can’t be undone.' : '';
  return `${what} at ${plainLine(siteName(origin), MAX_ADDRESS_CHARS)}${classified}`;
}

/** Quotes that a label of the page cannot close. */
const named = (label: string): string => `“${excerpt(label).replace(/[“”„‟]/g, '"')}”`;

/** One line. A long text is reduced to its beginning, its end and the decisive words. */
function excerpt(text: string): string {
  const line = plainLine(text, Infinity);
  if (line.length <= MAX_VALUE_CHARS) return line;
  const start = line.slice(0, START_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  const end = line.slice(-END_CHARS).replace(/^[\uDC00-\uDFFF]/, '');
  const reason = saysCommit(start) || saysCommit(end) ? undefined : committingPart(line);
  return [start, ...(reason === undefined ? [] : [reason]), end].map((part) => part.trim()).join(' … ');
}

/** The shortest run of words that is irreversible by itself. */
function committingPart(line: string): string | undefined {
  const words = line.split(' ').slice(0, MAX_SEARCHED_WORDS);
  const partAt = (at: number) => words.slice(at, at + WORDS_IN_A_ROW).join(' ');
  let at = 0;
  while (at < words.length && !saysCommit(partAt(at))) at += WORDS_IN_A_ROW / 2;
  if (at >= words.length) return undefined;
  while (saysCommit(partAt(at + 1))) at++;
  return plainLine(partAt(at), END_CHARS);
}

/** The arguments, one line each with a quoted name. Values for a secret field are masked. */
export function dataOf(args: Readonly<Record<string, unknown>>, elementContext?: ElementContext): string[] {
  const leaves = Object.entries(args).flatMap(([name, value]) => leavesOf(value, [name]));
  const lines = leaves.map(({ path, value }) => {
    const name = path.map((part) => quotedLine(part, MAX_NAME_CHARS)).join('.');
    const isHidden = elementContext?.secret === true && isWritten(path.join('.'), value);
    return `${name}: ${isHidden ? '•••' : inWords(value)}`;
  });
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`];
}

/** Names the button, because a question about a form does not. */
export const pressedLine = (elementContext?: ElementContext): string =>
  `${elementContext?.byItself === true ? 'its button' : 'pressing'}: ${named(elementContext?.label ?? '')}`;

const hostOf = (origin: string): string =>
  URL.canParse(origin) ? new URL(origin).host : plainLine(siteName(origin), MAX_ADDRESS_CHARS);

/** A named key does not reveal a secret; a character key does. */
const isWritten = (path: string, value: unknown): boolean =>
  WRITES.test(path) || (KEYS.test(path) && [...String(value)].length === 1);

const WRITES = /^(?:text|value|html)$/;
const KEYS = /^keys?(?:\.\d+)?$/;

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leavesOf(value: unknown, path: readonly string[]): Leaf[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (inner.length === 0) return [{ path, value }];
  return inner.flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** Quotes the value and shows its line breaks: typed into a chat, each of them sends a message. */
function quotedValue(value: string): string {
  const text = value.replace(/\r\n|\n|\r/g, ' ⏎ ');
  const quoted = quotedLine(excerpt(text), Infinity);
  return plainLine(text, Infinity).length <= MAX_VALUE_CHARS
    ? quoted
    : `${quoted} (${value.length} characters)`;
}

/** Quotes strings only; numbers, `true`, `null` and empty values are unambiguous. */
const inWords = (value: unknown): string =>
  typeof value === 'string' ? quotedValue(value) : plainLine(JSON.stringify(value) ?? '', MAX_VALUE_CHARS);

type Shown = Pick<Question, 'destination' | 'amounts' | 'prices' | 'goods' | 'sends'>;

/** Destination, amounts, goods and fields that would be sent by the element of this label. */
export function shownOf(content: AskedContent | undefined, label?: string): Shown {
  if (content === undefined) return {};
  const destination = destinationOf(content.url);
  const { amounts, prices } = paidOf(
    content.amounts.map((line) => plainLine(line, MAX_VALUE_CHARS)),
    label,
  );
  const goods = (content.goods ?? [])
    .map((line) => plainLine(line, MAX_VALUE_CHARS))
    .filter((line) => ![...amounts, ...prices].some((amount) => amount.includes(line)));
  const filled = content.fields.filter((field) => isTold(field) && field.value !== '');
  const byWeight = [...filled.filter(isWeighty), ...filled.filter((field) => !isWeighty(field))];
  const sends = byWeight.slice(0, MAX_SHOWN_FIELDS).map(fieldLine);
  const unsaid = filled.length - sends.length;
  return {
    ...(destination !== undefined && { destination }),
    ...(amounts.length > 0 && { amounts }),
    ...(prices.length > 0 && { prices }),
    ...(goods.length > 0 && { goods }),
    ...(sends.length > 0 && { sends: unsaid > 0 ? [...sends, `and ${unsaid} more`] : sends }),
  };
}

/** Fields for recipient and amount come first, so that many others cannot push them out. */
const isWeighty = ({ name }: AskedField): boolean => WEIGHTY.test(spaced(name));

const spaced = (name: string): string => name.replace(/([a-z])([A-Z])|_/g, '$1 $2');

/** A hidden field counts when it says how much, or who gets it. */
const isTold = (field: AskedField): boolean =>
  field.shown || (field.hidden === true && (isWeighty(field) || isAmount(field.value)));
const WEIGHTY =
  /pay(?:ee|ment|to)|recipient|beneficiary|receiver|\bto\b|amount|total|\bsum\b|price|quantity|iban|bic|swift|account|address|wallet|e-?mail|empf[äa]nger|betrag|summe|konto|adresse|ontvanger|bedrag|rekening|destinat|b[ée]n[ée]fici|montant|compte|importe|cuenta|direcci|importo|conto|indirizzo|valor|conta|odbiorca|kwota|получател|сумм|счет|счёт|адрес|金額|金额|口座|宛先|住所|收款|账户|地址|금액|계좌|주소/iu;

/**
 * Origin, in punycode, path and query, with amounts and recipients first. A URL without an origin, such as
 * `mailto:`, is shown whole.
 */
function destinationOf(url: string | undefined): string | undefined {
  if (url === undefined || /^\s*javascript:/i.test(url)) return undefined;
  const target = URL.parse(url);
  if (target === null || target.origin === 'null') return plainLine(url, MAX_ADDRESS_CHARS);
  const given = [...target.searchParams];
  const isHeavy = ([name]: readonly [string, string]) => WEIGHTY.test(spaced(name));
  const byWeight = [...given.filter(isHeavy), ...given.filter((each) => !isHeavy(each))];
  const query = byWeight.map(parameter).join('&');
  const path = target.pathname === '/' && query === '' ? '' : target.pathname;
  return plainLine(`${target.origin}${path}${query && `?${query}`}`, MAX_ADDRESS_CHARS);
}

function parameter([name, value]: readonly [string, string]): string {
  const shown = SECRET_NAME.test(spaced(name)) && !isAmount(value) ? dots(value) : shortened(value);
  return `${shortened(name)}=${shown}`.replace(/\s/g, '+');
}

/** One-time values and keys. */
const SECRET_NAME =
  /pass(?:word|wd|phrase)?\b|\b(?:pin|cvc|cvv|secret|token|key|nonce|sid|session|sig|signature|auth|csrf|xsrf|otp)\b/i;

const MAX_PARAMETER_CHARS = 60;

/** Cuts a value that would push others out, and leaves its end. A value cannot pass for two. */
function shortened(value: string): string {
  const text = value.length <= MAX_PARAMETER_CHARS ? value : `${value.slice(0, 40)}…${value.slice(-16)}`;
  return text.replace(/[&=#?]/g, encodeURIComponent);
}

const fieldLine = ({ name, value, token, hidden }: AskedField): string =>
  `${quotedLine(name, MAX_NAME_CHARS)}${hidden === true ? ' (hidden)' : ''}: ${token === undefined ? quotedValue(value) : dots(value)}`;

const dots = (value: string): string => (value === '' ? 'empty' : '•••');

/** Differences between two versions of a question, side by side. */
export function changesOf(
  before: ElementContext | undefined,
  now: ElementContext | undefined,
): Question['changed'] & object {
  const pairs = [
    ...pair(before?.label, now?.label, named),
    ...pair(before?.origin, now?.origin, (origin) => plainLine(origin, MAX_ADDRESS_CHARS)),
    ...contentChanges(before?.content, now?.content),
    ...(before?.covered?.token === now?.covered?.token ? [] : COVERED),
  ].slice(0, MAX_CHANGES);
  return { before: pairs.map(([was]) => was), now: pairs.map(([, is]) => is) };
}

/** Differences from the form as it was last allowed; undefined when a person would see none. */
export function changesSince(
  allowed: ElementContext | undefined,
  now: ElementContext | undefined,
): Question['changed'] {
  if (allowed === undefined || now === undefined) return undefined;
  const told = ({ label, content }: ElementContext) => ({
    ...KNOWN,
    ...(label !== undefined && { label }),
    ...(content && { content: { ...content, fields: content.fields.filter(isTold), text: '' } }),
  });
  const changed = changesOf(told(allowed), told(now));
  return changed.now.length === 0 ? undefined : { ...changed, since: 'allowed' };
}

/** Masked texts differ, and their masks do not. */
const COVERED: readonly Pair[] = [['•••', '••• (another value)']];

const KNOWN = { submits: true, sensitive: false, secret: false } as const;

type Pair = readonly [was: string, is: string];

function contentChanges(was: AskedContent | undefined, is: AskedContent | undefined): Pair[] {
  const target = (content: AskedContent | undefined) =>
    content?.url && `${content.method?.toUpperCase() ?? 'GET'} ${content.url}`;
  const moved = pair(target(was), target(is), (line) => plainLine(line, MAX_ADDRESS_CHARS));
  const fields = fieldChanges(was?.fields ?? [], is?.fields ?? []);
  const text = textChange(was?.text ?? '', is?.text ?? '');
  const line = (whole: string) => plainLine(whole, MAX_ADDRESS_CHARS);
  const amounts = pair(was?.amounts.join(', '), is?.amounts.join(', '), line);
  const goods = pair(was?.goods?.join(', '), is?.goods?.join(', '), line);
  return [...moved, ...amounts, ...goods, ...fields, ...text];
}

function fieldChanges(was: readonly AskedField[], is: readonly AskedField[]): Pair[] {
  const count = Math.max(was.length, is.length);
  return Array.from({ length: count }, (_, at) => [was[at], is[at]] as const)
    .filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other))
    .map(([one, other]) => {
      const isSecret = one?.token !== undefined && other?.token !== undefined && one.name === other.name;
      return [lineOrNone(one), `${lineOrNone(other)}${isSecret ? ' (another value)' : ''}`] as const;
    });
}

const lineOrNone = (field: AskedField | undefined): string => (field === undefined ? NONE : fieldLine(field));

/** The difference between two texts with some context. */
function textChange(was: string, is: string): Pair[] {
  const [one, other] = [was, is].map((text) => text.replace(/\s+/g, ' '));
  if (one === undefined || other === undefined || one === other) return [];
  const from = sharedStart(one, other);
  const shared = Math.min(one.length, other.length) - from;
  const end = Math.min(shared, sharedStart(reversed(one), reversed(other)));
  const part = (text: string) =>
    quotedLine(
      text.slice(Math.max(0, from - AROUND_CHARS), text.length - end + AROUND_CHARS),
      MAX_ADDRESS_CHARS,
    );
  return [[part(one), part(other)]];
}

function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

const reversed = (text: string): string => text.split('').reverse().join('');

function pair(was: string | undefined, is: string | undefined, words: (text: string) => string): Pair[] {
  return was === is ? [] : [[was ? words(was) : NONE, is ? words(is) : NONE]];
}

const NONE = 'nothing';
