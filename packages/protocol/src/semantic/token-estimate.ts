/**
 * Estimates the tokens of a text in current vocabularies (such as o200k) without one: splits it as their
 * pre-tokenizers do and prices each piece by its letters. Errs upwards, because a budget is a promise.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += price(piece);
  return tokens;
}

/** The beginning of a text that fits, cut at a line end unless that would lose half of it. */
export function cutToTokens(text: string, most: number): string {
  let left = most;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const tokens = price(piece);
    left -= tokens;
    if (left >= 0) continue;
    const line = text.lastIndexOf('\n', index);
    if (line > index / 2) return text.slice(0, line);
    // A long run has no better place: one longer than the budget must be cut too.
    const inside = tokens > LONG ? Math.floor((piece.length * (left + tokens)) / tokens) : 0;
    return text.slice(0, index + inside).replace(HALF_CHARACTER, '');
  }
  return text;
}

/** A piece of more tokens may be cut. */
const LONG = 3;
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;
/** A word with the sign or space before it, up to three digits, a run of signs, white space. */
const PIECES =
  /[^\r\n\p{L}\p{N}]?(?:\p{Lu}*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{Lu}+)|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;
const LETTERS = /[\p{L}\p{M}]+$/u;
const ENGLISH = /^[A-Za-z]/;
const LATIN = /^\p{Script=Latin}/u;
const CYRILLIC = /^\p{Script=Cyrillic}/u;
const SYLLABIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function price(piece: string): number {
  const letters = LETTERS.exec(piece)?.[0] ?? '';
  const count = letters.length;
  if (count === 0) return /^(?:\s+|\p{N}+)$/u.test(piece) ? 1 : Math.max(1, piece.length / 3);
  if (SYLLABIC.test(letters)) return Math.max(1, count * 0.9);
  if (CYRILLIC.test(letters)) return Math.max(1, count * 0.34);
  if (!LATIN.test(letters)) return Math.max(1, count * 0.45);
  if (!ENGLISH.test(letters) || /[^A-Za-z]/.test(letters)) return Math.max(1.1, count / 2.2);
  return 1.03 + Math.max(0, count - 7) / 7;
}
