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

/** Of Okapi BM25 (https://doi.org/10.1561/1500000019): how soon repeats stop counting, how much length does. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** The texts that answer a query, the best first: also by beginning, and by words spelt almost alike. */
export function searchTexts(fields: readonly IndexedField[], query: string): TextMatch[] {
  const scores = new Map<number, number>();
  for (const { texts, boost } of fields) {
    const documents = texts.map(wordsOf);
    const usualLength = documents.flat().length / documents.length;
    for (const asked of new Set(wordsOf(query))) {
      const counts = documents.map((words) => words.reduce((sum, word) => sum + likeness(asked, word), 0));
      const holders = counts.filter((count) => count > 0).length;
      const rarity = Math.log(1 + (counts.length - holders + 0.5) / (holders + 0.5));
      counts.forEach((count, place) => {
        if (count === 0) return;
        const length = 1 + LENGTH_SHARE * ((documents[place]?.length ?? 0) / usualLength - 1);
        const score = (boost * rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
        scores.set(place, (scores.get(place) ?? 0) + score);
      });
    }
  }
  return [...scores]
    .map(([place, score]) => ({ place, score }))
    .sort((one, other) => other.score - one.score || one.place - other.place);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How much of a match a word is: itself, one that begins like it, one that is a letter off. */
function likeness(asked: string, word: string): number {
  if (word === asked) return 1;
  if (word.startsWith(asked)) return (0.4 * asked.length) / word.length;
  return asked.length >= 3 && isOneLetterOff(asked, word) ? 0.3 : 0;
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
