/** What `Extractor.extract` of the map engine answers. */
export interface Extraction {
  readonly url: string;
  readonly title: string;
  /** By the id of the entry: a list for `many`, else one record, or null. */
  readonly records: Readonly<Record<string, unknown>>;
  readonly selector_counts: Readonly<Record<string, number>>;
  /** As `lists.name`, each named once. */
  readonly missing_required_fields: readonly string[];
}
