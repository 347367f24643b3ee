import okapi from 'okapibm25';

/** A CommonJS package: some loaders hand over its default export, others what holds it. */
const bm25 = 'default' in okapi ? okapi.default : okapi;

/** A field of every document: what it says, and how much a match in it counts. */
export interface IndexedField {
  readonly texts: readonly string[];
  readonly boost: number;
}

export interface TextMatch {
  /** The document's place in the fields' texts. */
  readonly place: number;
  readonly score: number;
}

/** What a word counts that is the one asked for, begins with it, or is a letter off. */
const WEIGHTS = { same: 1, start: 0.4, near: 0.3 };

/** The texts that answer a query, the best first: also by beginning, and by words spelt almost alike. */
export function searchTexts(fields: readonly IndexedField[], query: string): TextMatch[] {
  const scores = new Map<number, number>();
  for (const { texts, boost } of fields) {
    const documents = texts.map(wordsOf);
    for (const asked of new Set(wordsOf(query))) {
      // The library makes regular expressions of words: it gets to see only ours, never the page's or the query's.
      const alike = documents.map((words) => words.map((word) => likeness(asked, word)).join(' '));
      for (const [kind, weight] of Object.entries(WEIGHTS)) {
        bm25(alike, [kind]).forEach((score, place) => {
          const more = boost * weight * Number(score);
          if (more > 0) scores.set(place, (scores.get(place) ?? 0) + more);
        });
      }
    }
  }
  return [...scores]
    .map(([place, score]) => ({ place, score }))
    .sort((one, other) => other.score - one.score || one.place - other.place);
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
