import { frameDocument } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';
import { isKnownSecret, isSecretField, rawValueOf, secretsMet } from './secret-field.ts';
import { isSecretByValue, namesASecret } from './secret-words.ts';

export const MASK = '•••';

/** A shorter value turns up by chance: scrubbing "12" would take the prices off a page. */
const SHORTEST = 4;
const VALUES_KEPT = 300;
/** A longer value is looked for in pieces: one pattern for all of it would grow too large. */
const PIECE = 64;

/** What secret fields have held, for as long as the page lives: a page repeats it when the field has gone. */
const values = new Set<string>();
const latest = new WeakMap<Element, string>();
const halfTyped = new WeakMap<Element, string>();
/** Of all values in all forms; undefined when one has come that is not in it yet. */
let pattern: RegExp | undefined;

/** Takes what secret fields hold and have held out of whatever is about to leave the page. */
export interface Scrubber {
  readonly text: (text: string) => string;
}

/** Reads the fields once, in frames of our origin too; make a new one for each answer. */
export function createScrubber(documents: Iterable<Document>): Scrubber {
  learnIn(documents);
  return { text: recall };
}

/** Without what the secret fields met so far hold and have held. */
export function recall(text: string): string {
  learnMet();
  if (values.size === 0) return text;
  pattern ??= patternOf([...values].sort((one, other) => other.length - one.length));
  return text.replace(pattern, MASK);
}

const CARD_OR_ACCOUNT = /(?:[A-Z]{2}\d{2}[\dA-Z ]{11,34}|\d(?:[ -]?\d){12,18})/g;
/** What a code or a fresh password looks like in a sentence that speaks of one. */
const CODE =
  /(?<!\d)\d{3}[ -]\d{3}(?!\d)|(?<![\p{L}\p{N}])(?=\S*\d)[\p{L}\p{N}][\p{L}\p{N}_!@#$%&*+=-]{3,63}/gu;

/** In a long text, what is named elsewhere is no reason to take every number out of it. */
const NEAR_CHARS = 120;

/** And without what the page says on its own: "Your code is 482913" is as secret as a field. */
export function cleanSaid(text: string): string {
  const known = recall(text);
  // Numbers and codes have digits, and most names have none.
  if (!/\d/.test(known)) return known;
  const clean = known.replace(CARD_OR_ACCOUNT, (number) => (isSecretByValue(number) ? MASK : number));
  if (!namesASecret(clean)) return clean;
  return clean.replace(CODE, (code, at: number) =>
    namesASecret(clean.slice(Math.max(0, at - NEAR_CHARS), at + NEAR_CHARS)) ? MASK : code,
  );
}

export function learnIn(roots: Iterable<Document | ShadowRoot>): void {
  for (const root of withFrames(roots)) learnWithin(root);
  learnMet();
}

function withFrames(roots: Iterable<Document | ShadowRoot>): Iterable<Document | ShadowRoot> {
  const all = new Set(roots);
  // Those added on the way are gone through too.
  for (const root of all) {
    for (const frame of root.querySelectorAll('iframe, frame')) {
      const inside = frameDocument(frame);
      if (inside !== undefined) all.add(inside);
    }
  }
  return all;
}

/** Also those in shadow roots, which a selector does not reach, and those that have left the page. */
export function learnMet(): void {
  for (const field of secretsMet()) learn(field);
}

export function learnWithin(root: Document | ShadowRoot | Element): void {
  if (isElement(root)) learn(root);
  if (root.firstElementChild === null) return;
  // One by one: a list of selectors is tried on every element of the page, which takes three times as long.
  for (const selector of ['input', 'textarea', '[contenteditable]']) {
    for (const field of root.querySelectorAll(selector)) learn(field);
  }
}

/** `passing`: half typed, and kept only until more is typed. */
export function learn(field: Element, passing = false): void {
  const value = field.localName === 'select' ? '' : (rawValueOf(field) ?? '').trim();
  const isPassword = field.getAttribute('type') === 'password';
  if (value.length < SHORTEST) {
    // Known from now on: what a script puts into it is no event.
    if (isPassword) isSecretField(field);
    return;
  }
  // Judging reads labels and styles: what was no secret is judged again when it holds something else.
  const isSame = value === latest.get(field);
  if (isSame && !isKnownSecret(field) && !isPassword) return;
  latest.set(field, value);
  if (!isSecretField(field)) return;
  const half = halfTyped.get(field) ?? '';
  if (half !== '' && half !== value && value.startsWith(half)) values.delete(half);
  halfTyped.set(field, passing && !isSame ? value : '');
  if (!values.delete(value)) pattern = undefined;
  values.add(value);
  const [oldest = ''] = values;
  if (values.size > VALUES_KEPT) values.delete(oldest);
}

function learnTyped(event: Event): void {
  const field = originOf(event);
  if (field !== undefined) learn(field, event.type === 'input');
}

/**
 * Learns from what is typed, so that it is known when the field has gone. Frames of our origin that are in it
 * now are followed too; what is followed already stays so.
 */
export function followTyping(root: Document | ShadowRoot, signal: AbortSignal): void {
  const options = { capture: true, passive: true, signal };
  for (const each of withFrames([root])) {
    each.addEventListener('input', learnTyped, options);
    each.addEventListener('change', learnTyped, options);
  }
}

/** Told by shape, not by instanceof: what is in a frame belongs to another realm. */
export function originOf(event: Event): Element | undefined {
  const [target] = event.composedPath();
  return target !== undefined && isElement(target) ? target : undefined;
}

/**
 * Each value as typed, as an address, JSON, HTML or Markdown carries it, in any case (a style can change it),
 * and its beginning where a text was cut off with "…".
 */
function patternOf(secrets: readonly string[]): RegExp {
  const pieces = secrets.flatMap((value) => {
    const characters = [...value.replace(/\s+/g, ' ')].map(anyForm);
    const starts = characters.flatMap((_, place) => (place % PIECE === 0 ? place : []));
    return starts
      .map((start) => characters.slice(start, start + PIECE))
      .filter((piece) => piece.length >= SHORTEST);
  });
  const cut = pieces.map((piece) => {
    const rest = piece.slice(SHORTEST).reduceRight((after, character) => `(?:${character}${after})?`, '');
    return `${piece.slice(0, SHORTEST).join('')}${rest}(?=…)`;
  });
  return new RegExp([...pieces.map((piece) => piece.join('')), ...cut].join('|'), 'giu');
}

const SPACE = String.raw`(?:\s|\+|%(?:25)?(?:20|0[9ad])|\\[nrt]|&nbsp;)+`;

function anyForm(character: string): string {
  if (/[a-z\d]/i.test(character)) return character;
  if (character === ' ') return SPACE;
  const bytes = [...new TextEncoder().encode(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const itself = `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return String.raw`(?:\\?${itself}|${bytes.map((byte) => `%(?:25)?${byte}`).join('')}|&#?\w+;)`;
}
