/**
 * What was found, each match in document order, before any rule of the map is applied to it: `shapeRecords` of
 * the map engine makes records of it.
 */
export interface RawExtraction {
  readonly url: string;
  readonly title: string;
  /** By the id of the entry. */
  readonly matches: ExtractMatches;
}

/** A match of something with `fields` has `fields`, any other has `value`; null is a value not there. */
export type ExtractMatch = { readonly value: unknown } | { readonly fields: ExtractMatches };

export type ExtractMatches = Readonly<Record<string, readonly ExtractMatch[]>>;
