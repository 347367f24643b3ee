/** Raw matches in document order, before the map's rules: `shapeRecords` of the map engine makes records of them. */
export interface RawExtraction {
  readonly url: string;
  readonly title: string;
  /** By entry id. */
  readonly matches: ExtractMatches;
}

/** A match of an entry with `fields` has `fields`, any other has `value`; null means absent. */
export type ExtractMatch = { readonly value: unknown } | { readonly fields: ExtractMatches };

export type ExtractMatches = Readonly<Record<string, readonly ExtractMatch[]>>;
