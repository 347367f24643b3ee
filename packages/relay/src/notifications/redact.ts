/** Characters that break a line or reverse text, except those that join letters and emoji. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Puts text on one line, cut to `most` characters. */
export function line(text: string, most: number): string {
  const flat = text.replace(UNSEEN, ' ').trim().toWellFormed();
  const letters = [...flat.slice(0, 2 * most)];
  return letters.length <= most && flat.length <= 2 * most ? flat : `${letters.slice(0, most - 1).join('')}…`;
}
