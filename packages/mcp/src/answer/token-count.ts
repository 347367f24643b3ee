/**
 * Estimates tokens without a vocabulary, rather too many than too few: short words, three digits, two signs
 * or two letters of other scripts count as one each.
 */
const PIECES = /\p{Script=Latin}{1,6}|\p{L}{1,2}|\p{N}{1,3}|[!-/:-@[-`{-~]{1,2}|\n|[^\s\p{L}\p{N}]/gu;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const _ of text.matchAll(PIECES)) tokens++;
  return tokens;
}

/** The beginning of a text that fits, cut at a line end unless that would lose half of it. */
export function cutToTokens(text: string, tokens: number): string {
  let left = tokens;
  for (const { index } of text.matchAll(PIECES)) {
    if (left-- > 0) continue;
    const line = text.lastIndexOf('\n', index);
    return text.slice(0, line > index / 2 ? line : index);
  }
  return text;
}
