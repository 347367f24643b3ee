import type { TextCleaner } from '../page-internals.ts';
import { isSecretField, visibleValueOf } from '../secrets/secret-field.ts';

const UNREAD = 'script, style, noscript, template';
const FIELDS = 'textarea, select, input, [contenteditable]';

/**
 * All text of an element, including hidden parts but not the values of secret fields. Secrets are masked
 * before the text is cut or compared: half a secret would not be recognized, and a comparison must not
 * confirm a guess.
 */
export function textContentOf(element: Element, clean: TextCleaner): string {
  return clean(rawTextOf(element));
}

function rawTextOf(element: Element): string {
  if (element.matches(FIELDS)) return visibleValueOf(element) ?? '';
  const pieces: string[] = [];
  gather(element, pieces);
  return pieces.join('').trim();
}

function gather(node: Node, pieces: string[]): void {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === 3) pieces.push(child.nodeValue ?? '');
    else if (isElement(child) && isRead(child)) gather(child, pieces);
  }
}

const isRead = (element: Element): boolean =>
  !element.matches(UNREAD) && !(element.matches(FIELDS) && isSecretField(element));

/** The rendered text with its line breaks. */
export function shownTextOf(element: Element, clean: TextCleaner): string {
  if (element.matches(FIELDS)) return clean(visibleValueOf(element) ?? '');
  const hidesSecret = [...element.querySelectorAll('[contenteditable]')].some(isSecretField);
  const shown: unknown = Reflect.get(element, 'innerText');
  return clean(hidesSecret || typeof shown !== 'string' ? rawTextOf(element) : shown).trim();
}

/** The only text of an icon, or of a box that is clipped away. */
export const labelOf = (element: Element, clean: TextCleaner): string =>
  clean(element.getAttribute('aria-label') ?? '');

export const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Cuts to a number of characters without splitting one. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}

/** A literal attribute; excludes those that hold typed values or code. */
export function attributeOf(element: Element, name: string, clean: TextCleaner): string | null {
  if (name === 'text') return tidy(shownTextOf(element, clean));
  if (/^on/i.test(name)) return null;
  if (/^(?:value|data-.*)$/i.test(name) && isSecretField(element)) return null;
  const value = element.getAttribute(name);
  return value === null ? null : clean(value);
}

export const isElement = (node: Node): node is Element => node.nodeType === 1;
