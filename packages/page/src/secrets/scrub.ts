import {
  type Echoes,
  echoesOf,
  MASK,
  type Masked,
  maskEchoes,
  maskParts,
  type Range,
  SHORTEST,
} from '@drawbridge/protocol/secrets';
import { frameDocument } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';
import { agentTexts, isSupplied } from './agent-text.ts';
import { isKnownSecret, isSecretField, rawValueOf, secretsMet, wholeCodeOf } from './secret-field.ts';
import { hasSplitEcho } from './split-echo.ts';

const MAX_VALUES = 2_000;
const MAX_AGENT_VALUES = 200;

/** Values of one source; `echoes` is undefined after the values changed. */
interface Known {
  readonly values: Set<string>;
  readonly most: number;
  echoes: Echoes | undefined;
  /** The same values, for a question to a person. */
  forPerson: { readonly long: Echoes; readonly short: Echoes } | undefined;
}

/** Past values of secret fields for the life of the document: a page may repeat them after the field is gone. */
const held: Known = { values: new Set(), most: MAX_VALUES, echoes: undefined, forPerson: undefined };
/**
 * The secret values that the agent supplied. Masked last, in the remaining text: an agent that fills "pw: h"
 * into a password field would learn from a longer mask that the page continues with an "h".
 */
const supplied: Known = {
  values: new Set(),
  most: MAX_AGENT_VALUES,
  echoes: undefined,
  forPerson: undefined,
};
const latest = new WeakMap<Element, string>();
const halfTyped = new WeakMap<Element, string>();

/** Whether a code was split into one box per digit at the last read. */
let isSplit = false;
/** A digit that is an element's whole text: plain, in markup, or as a list item, link or cell of Markdown. */
const SINGLE_DIGIT = /(?<=^\s*(?:(?:[-*]|\d+\.)\s+)?|>\s*|\|\s*|\[)\p{Nd}(?=\s*$|\s*<|\s*\||\]\()/gmu;

/** Masks current and past values of secret fields in anything that leaves the page. */
export type Scrubber = ReturnType<typeof createScrubber>;

/** Reads the fields once, including same-origin frames; create a new one for each answer. */
export function createScrubber(documents: Iterable<Document>) {
  learnIn(documents);
  return { text: recall };
}

export function knowsSecrets(): boolean {
  learnMet();
  return held.values.size + supplied.values.size > 0;
}

/** The text without what the secret fields met so far hold and have held. */
export const recall = (text: string): string => recallParts(text).text;

/** The same, with the parts that it masked. */
export function recallParts(text: string): Masked {
  if (text === '' || !knowsSecrets()) return { text, hidden: [] };
  // Keeps the origin whole for comparison, as it is not a secret: a PIN may equal its port.
  const { origin } = location;
  const isOwn = origin !== 'null' && text.startsWith(`${origin}/`);
  return isOwn ? after(origin, scrubbed(text.slice(origin.length))) : scrubbed(text);
}

/** Shorter ones look like amounts and quantities, and are masked as whole words and numbers. */
const LONG_CHARS = 8;
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]*/i;

/**
 * Masks secrets in a question to a person, which is stored and shown on other screens. An amount of money, which
 * `keeps` finds, stays although a code may be the same number. Values that the agent supplied stay too: it could
 * hide words of the question.
 */
export function recallForPerson(text: string, keeps: (text: string) => readonly Range[]): Masked {
  learnMet();
  if (held.values.size === 0) return { text, hidden: [] };
  const { long, short } = personEchoes();
  const { text: first, hidden } = maskParts(text, long);
  const [origin = ''] = ORIGIN.exec(first) ?? [];
  const rest = first.slice(origin.length);
  const masked = maskParts(rest, short, { kept: keeps(rest) });
  return after(origin, { text: masked.text, hidden: [...hidden, ...masked.hidden] });
}

const after = (start: string, { text, hidden }: Masked): Masked => ({ text: start + text, hidden });

function personEchoes(): NonNullable<Known['forPerson']> {
  const values = [...held.values];
  held.forPerson ??= {
    long: echoesOf(values.filter(({ length }) => length >= LONG_CHARS)),
    short: echoesOf(
      values.filter(({ length }) => length < LONG_CHARS),
      true,
    ),
  };
  return held.forPerson;
}

/** Masks the secrets of others but for the agent's own words, and what the agent typed into secret fields in what is left. */
function scrubbed(text: string): Masked {
  const first = maskParts(text, echoesIn(held), { spared: agentTexts() });
  const whole = maskParts(first.text, echoesIn(supplied));
  return {
    text: isSplit ? whole.text.replace(SINGLE_DIGIT, MASK) : whole.text,
    hidden: [...first.hidden, ...whole.hidden],
  };
}

function echoesIn(known: Known): Echoes {
  known.echoes ??= echoesOf([...known.values]);
  return known.echoes;
}

export function learnIn(roots: Iterable<Document | ShadowRoot>): void {
  const all = withFrames(roots);
  for (const root of all) learnWithin(root);
  learnMet();
  isSplit = [held, supplied].some((known) => hasSplitEcho(all, echoesIn(known)));
}

function withFrames(roots: Iterable<Document | ShadowRoot>): Iterable<Document | ShadowRoot> {
  const all = new Set(roots);
  // Includes roots added during the loop.
  for (const root of all) {
    for (const frame of root.querySelectorAll('iframe, frame')) {
      const inside = frameDocument(frame);
      if (inside !== undefined) all.add(inside);
    }
  }
  return all;
}

/** Includes fields in shadow roots, which a selector does not reach, and detached ones. */
export function learnMet(): void {
  for (const field of secretsMet()) learn(field);
}

export function learnWithin(root: Document | ShadowRoot | Element): void {
  if (isElement(root)) learn(root);
  if (root.firstElementChild === null) return;
  // One by one: a selector list is tried on every element, which takes three times as long.
  for (const selector of ['input', 'textarea', '[contenteditable]']) {
    for (const field of root.querySelectorAll(selector)) learn(field);
  }
}

/** `passing`: partly typed, and kept only until more is typed. */
export function learn(field: Element, passing = false): void {
  const value = field.localName === 'select' ? '' : (wholeCodeOf(field) ?? rawValueOf(field) ?? '').trim();
  const isPassword = field.getAttribute('type') === 'password';
  if (value.length < SHORTEST) {
    // Marked as known, because a value set by a script triggers no event.
    if (isPassword) isSecretField(field);
    return;
  }
  // Classifying reads labels and styles: a field is classified again only when its value changes.
  const isSame = value === latest.get(field);
  if (isSame && !isKnownSecret(field) && !isPassword) return;
  latest.set(field, value);
  if (!isSecretField(field)) return;
  const half = halfTyped.get(field) ?? '';
  if (half !== '' && half !== value && value.startsWith(half)) forget(half);
  halfTyped.set(field, passing && !isSame ? value : '');
  keep(value);
}

let onSecret: SecretListener = () => {};

/** A new secret, or a partly typed one that is dropped. */
export type SecretListener = (change: { readonly kept: string } | { readonly forgot: string }) => void;

/** Calls back with each secret, known ones first. */
export function followSecrets(receive: SecretListener): void {
  onSecret = receive;
  learnMet();
  for (const { values } of [held, supplied]) for (const kept of values) receive({ kept });
}

/** Secrets of earlier documents. */
export function carrySecrets(values: readonly string[]): void {
  for (const value of values) add(value, held);
}

function keep(value: string): void {
  if (held.values.has(value) || supplied.values.has(value)) return;
  add(value, isSupplied(value) ? supplied : held);
  onSecret({ kept: value });
}

function add(value: string, known: Known): void {
  known.values.add(value);
  forgetEchoes(known);
  const [oldest = ''] = known.values;
  if (known.values.size > known.most) known.values.delete(oldest);
}

function forget(value: string): void {
  for (const known of [held, supplied]) if (known.values.delete(value)) forgetEchoes(known);
  onSecret({ forgot: value });
}

function forgetEchoes(known: Known): void {
  known.echoes = undefined;
  known.forPerson = undefined;
}

function learnTyped(event: Event): void {
  const field = originOf(event);
  if (field !== undefined) learn(field, event.type === 'input');
}

/** Stops a copy or drag of a secret or its part: pasted elsewhere, a part would not be recognized. */
function keepInside(event: Event): void {
  const field = originOf(event);
  const around =
    field === undefined || rawValueOf(field) === undefined ? selectedAround() : rawValueOf(field);
  const isSecret = (field !== undefined && isSecretField(field)) || repeatsSecret(around ?? '');
  if (!isSecret) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Whether a text contains a secret; other texts of the agent do not count. */
export function repeatsSecret(text: string): boolean {
  learnMet();
  return [held, supplied].some((known) => maskEchoes(text, echoesIn(known)) !== text);
}

export function selectedAround(): string {
  const selection = getSelection();
  const ends = [selection?.anchorNode, selection?.focusNode].map(
    (node) => node?.parentElement?.textContent ?? '',
  );
  return [selection?.toString() ?? '', ...ends].join(' ');
}

/**
 * Learns from typing, so that a value is known after the field is gone. Also follows current same-origin
 * frames; following twice has no effect.
 */
export function followTyping(root: Document | ShadowRoot, signal: AbortSignal): void {
  const options = { capture: true, passive: true, signal };
  for (const each of withFrames([root])) {
    each.addEventListener('input', learnTyped, options);
    each.addEventListener('change', learnTyped, options);
    for (const type of ['copy', 'cut', 'dragstart'])
      each.addEventListener(type, keepInside, { capture: true, signal });
  }
}

/** Tests by shape, as `instanceof` fails for objects of a frame's realm. */
export function originOf(event: Event): Element | undefined {
  const [target] = event.composedPath();
  return target !== undefined && isElement(target) ? target : undefined;
}
