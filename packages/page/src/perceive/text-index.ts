import MiniSearch from 'minisearch';

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

/** The texts that answer a query, the best first: also by beginning, and by words spelt almost alike. */
export function searchTexts(fields: readonly IndexedField[], query: string): TextMatch[] {
  const names = fields.map((_, number) => String(number));
  const boost = Object.fromEntries(fields.map((field, number) => [String(number), field.boost]));
  const index = new MiniSearch<{ id: number }>({
    fields: names,
    extractField: ({ id }, name) => (name === 'id' ? id : (fields[Number(name)]?.texts[id] ?? '')),
    searchOptions: { boost, prefix: true, fuzzy: 0.2 },
  });
  index.addAll((fields[0]?.texts ?? []).map((_, id) => ({ id })));
  return index.search(query).map(({ id, score }) => ({ place: id, score }));
}
