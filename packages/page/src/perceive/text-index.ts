import okapi from 'okapibm25';

/** A CommonJS package: some loaders return its default export, others its namespace. */
const bm25 = 'default' in okapi ? okapi.default : okapi;

/** A field of every document, with the weight of a match in it. */
export interface IndexedField {
  readonly texts: readonly string[];
  readonly boost: number;
}

export interface TextMatch {
  /** The document's index in the fields' texts. */
  readonly index: number;
  readonly score: number;
}

/** Weights of an exact match, a prefix match, and a match with one letter off. */
const WEIGHTS = { same: 1, start: 0.4, near: 0.3 };

/** The texts that match a query, the best first, including prefixes and misspellings. */
export function searchTexts(fields: readonly IndexedField[], query: string): TextMatch[] {
  const scores = new Map<number, number>();
  for (const { texts, boost } of fields) {
    const documents = texts.map(wordsOf);
    for (const asked of new Set(wordsOf(query))) {
      // The library builds regular expressions from words: it gets only ours, never the page's or the
      // query's.
      const alike = documents.map((words) => words.map((word) => likeness(asked, word)).join(' '));
      for (const [kind, weight] of Object.entries(WEIGHTS)) {
        bm25(alike, [kind]).forEach((score, index) => {
          const more = boost * weight * Number(score);
          if (more > 0) scores.set(index, (scores.get(index) ?? 0) + more);
        });
      }
    }
  }
  return [...scores]
    .map(([index, score]) => ({ index, score }))
    .sort((one, other) => other.score - one.score || one.index - other.index);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function likeness(asked: string, word: string): keyof typeof WEIGHTS | 'other' {
  if (word === asked) return 'same';
  if (word.startsWith(asked)) return 'start';
  return asked.length >= 3 && isOneLetterOff(asked, word) ? 'near' : 'other';
}

function isOneLetterOff(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  if (Math.abs(one.length - other.length) > 1) return false;
  let same = 0;
  while (one[same] === other[same]) same++;
  let sameAtEnd = 0;
  while (same + sameAtEnd < longer - 1 && one.at(-1 - sameAtEnd) === other.at(-1 - sameAtEnd)) sameAtEnd++;
  return same + sameAtEnd === longer - 1;
}
