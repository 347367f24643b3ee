/**
 * Estimates the tokens of a text in current vocabularies (such as o200k) without one: splits the text like
 * their pre-tokenizers and prices each piece by its length. Errs upwards, because a budget is a promise:
 * measured a few percent above o200k.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += price(piece);
  return Math.ceil(tokens);
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

const PIECES = /[\p{Script=Latin}\p{M}]+|[\p{L}\p{M}]+|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+/gu;
const LATIN = /^\p{Script=Latin}/u;
const OTHER_LETTER = /^\p{L}/u;
const DIGIT = /^\p{N}/u;

function price(piece: string): number {
  if (LATIN.test(piece)) return piece.length <= 8 ? 1.05 : 1 + (piece.length - 6) / 6;
  if (OTHER_LETTER.test(piece)) return piece.length;
  if (DIGIT.test(piece)) return 1;
  if (/^\s/.test(piece)) return piece === ' ' ? 0.3 : 1;
  return Math.max(1, piece.length / 2.5);
}
