import SearchableMap from 'minisearch/SearchableMap';

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

type Occurrences = Map<number, number>;

interface Field {
  readonly boost: number;
  /** How often a word stands in which text. */
  readonly words: SearchableMap<Occurrences>;
  readonly lengths: readonly number[];
  readonly averageLength: number;
}

/** Where a word ends. */
const BETWEEN_WORDS = /[\n\r\p{Z}\p{P}]+/u;
/** https://en.wikipedia.org/wiki/Okapi_BM25, with the small sum of BM25+. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 };
/** A word that only begins like the one looked for, or is spelt almost like it, counts less. */
const WEIGHTS = { beginning: 0.375, misspelt: 0.45 };
const MISSPELT_SHARE = 0.2;
const MOST_MISSPELT = 6;

/**
 * The texts that answer a query, the best first. The index, with its search by beginning and by likeness, is
 * minisearch's, and so are the scores. Its front, which keeps documents over time, would be a tenth of the
 * script that we put into a page, and we ask once and forget.
 */
export function searchTexts(fields: readonly IndexedField[], query: string): TextMatch[] {
  const indexed = fields.map(indexField);
  const found = new Map<number, { score: number; readonly words: Set<string> }>();
  for (const word of wordsOf(query)) {
    for (const [field, occurrences, weight] of likeWord(word, indexed)) {
      for (const [place, score] of scoresIn(field, occurrences)) {
        const match = found.get(place) ?? { score: 0, words: new Set() };
        found.set(place, match);
        match.score += weight * field.boost * score;
        match.words.add(word);
      }
    }
  }
  return [...found]
    .map(([place, { score, words }]) => ({ place, score: score * words.size }))
    .sort((one, other) => other.score - one.score);
}

function indexField({ texts, boost }: IndexedField): Field {
  const words = new SearchableMap<Occurrences>();
  const lengths = texts.map((text, place) => {
    for (const word of wordsOf(text)) {
      const occurrences = words.fetch(word, () => new Map());
      occurrences.set(place, (occurrences.get(place) ?? 0) + 1);
    }
    return new Set(text.split(BETWEEN_WORDS)).size;
  });
  return {
    boost,
    words,
    lengths,
    averageLength: lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(BETWEEN_WORDS).filter(Boolean);
}

/** Where a word stands, or one that begins with it, or one that is spelt almost like it. */
function* likeWord(word: string, fields: readonly Field[]): Generator<[Field, Occurrences, number]> {
  for (const field of fields) {
    const exact = field.words.get(word);
    if (exact !== undefined) yield [field, exact, 1];
  }
  const most = Math.min(MOST_MISSPELT, Math.round(word.length * MISSPELT_SHARE));
  for (const field of fields) {
    for (const [longer, occurrences] of field.words.atPrefix(word)) {
      const distance = longer.length - word.length;
      if (distance > 0)
        yield [field, occurrences, (WEIGHTS.beginning * longer.length) / (longer.length + 0.3 * distance)];
    }
    if (most === 0) continue;
    for (const [other, [occurrences, distance]] of field.words.fuzzyGet(word, most)) {
      if (distance > 0 && !other.startsWith(word))
        yield [field, occurrences, (WEIGHTS.misspelt * other.length) / (other.length + distance)];
    }
  }
}

function* scoresIn({ lengths, averageLength }: Field, occurrences: Occurrences): Generator<[number, number]> {
  const { k, b, d } = BM25;
  const rarity = Math.log(1 + (lengths.length - occurrences.size + 0.5) / (occurrences.size + 0.5));
  for (const [place, times] of occurrences) {
    const length = 1 - b + (b * (lengths[place] ?? 0)) / averageLength;
    yield [place, rarity * (d + (times * (k + 1)) / (times + k * length))];
  }
}
