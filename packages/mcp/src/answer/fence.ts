import { pageText } from '@drawbridge/protocol';

/** A name of some letters that nobody could have known before this answer. */
export type Nonce = (letters: number) => string;

const SHORTEST = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

export const randomNonce: Nonce = (letters) =>
  [...crypto.getRandomValues(new Uint8Array(letters))].map((byte) => LETTERS[byte % 32]).join('');

/**
 * Page text as a model gets it: labelled with where it came from, between two marks (BRG-127). The mark is
 * drawn after the text is known and drawn again, longer, while the text contains it: no page can close it.
 */
export function fence(label: string, text: string, nonce: Nonce = randomNonce): string {
  const inside = pageText(text);
  let mark = nonce(SHORTEST);
  for (let letters = SHORTEST + 1; inside.includes(mark); letters++) mark = nonce(letters);
  return `<page ${safeLabel(label)} ${mark}>\n${inside}\n</page ${mark}>`;
}

/** Where page text came from: its origin, or its scheme where there is none. */
export function originOf(url: string | undefined): string {
  const parsed = URL.parse(url ?? '');
  if (parsed === null) return 'unknown';
  return parsed.origin === 'null' ? parsed.protocol : parsed.origin;
}

/** On one line, and short: a text of a page among words of ours. */
export function oneLine(text: string, most = 200): string {
  const line = pageText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

function safeLabel(label: string): string {
  return label.replaceAll(/[^\w.:/[\]-]+/g, '').slice(0, 120) || 'unknown';
}
