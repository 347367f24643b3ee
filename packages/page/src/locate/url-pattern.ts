/** Longer addresses match no pattern. */
const MAX_URL_CHARS = 1_000;
const MAX_PATTERN_CHARS = 500;
/** Limit of backtracking steps: some milliseconds. */
const MAX_WAYS = 1_000_000;

/**
 * Matches with the browser's own regex engine, which backtracks. A pattern that could block the page (a
 * repeated group, a back-reference, many repeats or alternatives) matches nothing here; a host with a linear
 * engine judges it.
 */
export function fitsPattern(pattern: string, url: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS || url.length > MAX_URL_CHARS) return false;
  if (waysToMatch(pattern, url.length) > MAX_WAYS) return false;
  try {
    return new RegExp(pattern, 'u').test(url);
  } catch {
    return false;
  }
}

/** Upper bound: each repeat may end anywhere, each option and alternative doubles the attempts. */
function waysToMatch(pattern: string, chars: number): number {
  const plain = pattern
    .replace(/\\[^1-9k]/g, '.')
    .replace(/\[(?:[^\]\\])*\]/g, '.')
    .replace(/\(\?(?::|<\w+>)/g, '(');
  if (/\)[*+{?]|\\[1-9k]/.test(plain)) return Number.POSITIVE_INFINITY;
  const repeats = plain.match(/[*+{]/g)?.length ?? 0;
  const options = plain.match(/[?|]/g)?.length ?? 0;
  const starts = plain.startsWith('^') && !plain.includes('|') ? 1 : chars + 1;
  return starts * (chars + 1) ** repeats * 2 ** options;
}
