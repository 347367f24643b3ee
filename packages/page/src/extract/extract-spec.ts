/** What a projection reads off a page: docs/spec/manifest.md, MAN-64 to MAN-66. The engine's own types fit these. */

export type ReadableProperty =
  | 'innerText'
  | 'textContent'
  | 'value'
  | 'checked'
  | 'ariaLabel'
  | 'boundingClientRect';

/**
 * Looks from the record that it belongs to: up to `closest` first, then down by `selector` or `xpath`;
 * without either it means the record itself. Of several selectors the first that matches counts.
 * With `fields` a match is a record, without it is what `property` or `attribute` reads, else `innerText`.
 */
export interface ExtractField {
  readonly selector?: string | readonly string[];
  readonly xpath?: string;
  readonly closest?: string;
  readonly property?: ReadableProperty;
  readonly attribute?: string;
  readonly trim?: boolean;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly many?: boolean;
  readonly fields?: Readonly<Record<string, ExtractField>>;
}

/** Looks from the document. */
export interface ExtractEntry extends ExtractField {
  readonly id: string;
}

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
