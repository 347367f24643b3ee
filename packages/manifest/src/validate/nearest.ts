import { closest, distance } from 'fastest-levenshtein';

const MAX_COMPARED_CHARS = 100;
/** Avoids quadratic time for a map with ten thousand unknown and ten thousand known names. */
const MAX_COMPARED_WORDS = 300;

/** The known word closest to a misspelt one, if any is near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || word.length > MAX_COMPARED_CHARS) return undefined;
  const candidate = closest(word.toLowerCase(), known.slice(0, MAX_COMPARED_WORDS));
  const allowed = Math.max(1, Math.min(4, Math.floor(Math.max(word.length, candidate.length) / 3)));
  return distance(word.toLowerCase(), candidate.toLowerCase()) <= allowed ? candidate : undefined;
}

/** To spread into a finding. */
export function suggest(word: unknown, known: readonly string[]): { readonly suggestion?: string } {
  const candidate = typeof word === 'string' ? nearest(word, known) : undefined;
  return candidate === undefined || candidate === word
    ? {}
    : { suggestion: `did you mean \`${candidate}\`?` };
}
