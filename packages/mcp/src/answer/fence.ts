import { pageText } from '@drawbridge/protocol';

/** Random letters, unpredictable before this answer. */
export type Nonce = (letters: number) => string;

const SHORTEST = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

export const randomNonce: Nonce = (letters) =>
  [...crypto.getRandomValues(new Uint8Array(letters))].map((byte) => LETTERS[byte % 32]).join('');

/**
 * Fences page text for a model: labelled with its origin, between two marks (BRG-127). The mark is drawn
 * after the text is known, and again, longer, while the text contains it: no page can close it.
 */
export function fence(label: string, text: string, nonce: Nonce = randomNonce): string {
  const inside = pageText(text);
  let mark = nonce(SHORTEST);
  for (let letters = SHORTEST + 1; inside.includes(mark); letters++) mark = nonce(letters);
  return `<page ${safeLabel(label)} ${mark}>\n${inside}\n</page ${mark}>`;
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
  return label.replaceAll(/[^\w.:/[\]-]+/g, '').slice(0, 120) || 'unknown';
}
