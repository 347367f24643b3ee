/** A longer address is nobody's to describe by a pattern. */
const MAX_URL_CHARS = 1_000;
const MAX_PATTERN_CHARS = 500;
const MAX_UNBOUNDED = 3;

/**
 * Whether the pattern is found in the url, by the browser's own engine, which backtracks. So a pattern
 * that could keep the page busy (a repeated group, a back-reference, many unbounded repeats) fits nothing
 * here; a host with a linear engine judges such ones itself.
 */
export function fitsPattern(pattern: string, url: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS || url.length > MAX_URL_CHARS || !isTame(pattern)) return false;
  try {
    return new RegExp(pattern, 'u').test(url);
  } catch {
    return false;
  }
}

function isTame(pattern: string): boolean {
  const plain = pattern.replace(/\\[^1-9k]/g, '.').replace(/\[(?:[^\]\\])*\]/g, '.');
  const unbounded = plain.match(/[*+]|\{\d+,\}/g) ?? [];
  return unbounded.length <= MAX_UNBOUNDED && !/\)[*+{]|\\[1-9k]/.test(plain);
}
