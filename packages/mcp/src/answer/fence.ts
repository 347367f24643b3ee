import { createHmac, randomBytes } from 'node:crypto';
import { pageText } from '@drawbridge/protocol';

/** Letters that a page cannot predict; the same for the same text, where they come from a key. */
export type Nonce = (letters: number, text: string) => string;

const SHORTEST = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

export const randomNonce = (letters: number): string =>
  [...crypto.getRandomValues(new Uint8Array(letters))].map((byte) => LETTERS[byte % 32]).join('');

/** Marks from a secret key: equal texts get equal marks, so a mark names what it encloses. */
export function keyedNonce(key: Uint8Array = randomBytes(32)): Nonce {
  return (letters, text) =>
    [...createHmac('sha256', key).update(text).digest()]
      .slice(0, letters)
      .map((byte) => LETTERS[byte % 32])
      .join('');
}

/** The mark of a text, which the text itself does not contain. */
export function markOf(text: string, nonce: Nonce): string {
  const inside = pageText(text);
  let mark = nonce(SHORTEST, inside);
  for (let letters = SHORTEST + 1; inside.includes(mark); letters++) mark = nonce(letters, inside);
  return mark;
}

/**
 * Fences page text for a model: labelled with its origin or address, between two marks (BRG-127). The mark is
 * drawn after the text is known, and again, longer, while the text contains it: no page can close it.
 */
export function fence(label: string, text: string, nonce: Nonce = randomNonce): string {
  const mark = markOf(text, nonce);
  return `<page ${safeLabel(label)} ${mark}>\n${pageText(text)}\n</page ${mark}>`;
}

/**
 * Words of the person, outside every page's fence. Page text can't contain `<person`, so none can pass for them
 * (BRG-196).
 */
export function personText(text: string, nonce: Nonce = randomNonce): string {
  const mark = markOf(text, nonce);
  return `<person ${mark}>\n${pageText(text)}\n</person ${mark}>`;
}

/** The origin of page text, or its scheme where there is none. */
export function originOf(url: string | undefined): string {
  const parsed = URL.parse(url ?? '');
  if (parsed === null) return 'unknown';
  return parsed.origin === 'null' ? parsed.protocol : parsed.origin;
}

/** Shortens page text to one line among ours. */
export function oneLine(text: string, most = 200): string {
  const line = pageText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

function safeLabel(label: string): string {
  return label.replaceAll(/[^\w.:/[\]?=&%#+~,-]+/g, '').slice(0, 160) || 'unknown';
}
