import type { ExtractEntry, ExtractField } from '@drawbridge/protocol/manifest';
import type { Extraction } from '../host.ts';
import { type JsonObject, setKey } from './json-value.ts';

/**
 * Raw matches from the page, in document order, before the map's rules apply. A match of an entry with
 * `fields` has `fields`, any other has `value`; null is a missing value.
 */
export type RawMatch = { readonly value: unknown } | { readonly fields: Matches };

/** By entry id or field name. */
type Matches = Readonly<Record<string, readonly RawMatch[]>>;

export interface RawExtraction {
  readonly url: string;
  readonly title: string;
  readonly matches: Matches;
}

interface Findings {
  readonly counts: Map<string, number>;
  readonly missing: Set<string>;
}

/** Applies `many`, `trim`, `required` and `default` to the page's raw matches. */
export function shapeRecords(entries: readonly ExtractEntry[], raw: RawExtraction): Extraction {
  const findings: Findings = { counts: new Map(), missing: new Set() };
  const records: JsonObject = {};
  for (const entry of entries) {
    const matches = matchesIn(raw.matches, entry.id);
    findings.counts.set(entry.id, matches.length);
    setKey(records, entry.id, shapeField(entry, entry.id, matches, findings));
  }
  return {
    url: raw.url,
    title: raw.title,
    records,
    selector_counts: Object.fromEntries(findings.counts),
    missing_required_fields: [...findings.missing],
  };
}

/** A match without a value, such as a link without the attribute, does not count. */
function shapeField(
  field: ExtractField,
  path: string,
  matches: readonly RawMatch[],
  findings: Findings,
): unknown {
  const values = matches
    .map((match) =>
      'fields' in match ? shapeRecord(field, path, match.fields, findings) : shapeValue(field, match.value),
    )
    .filter((value) => value !== null && value !== undefined);
  if (field.required === true && values.length === 0) findings.missing.add(path);
  if (field.many === true) return values.length === 0 && field.default !== undefined ? field.default : values;
  return values[0] ?? field.default ?? null;
}

function shapeRecord(
  { fields = {} }: ExtractField,
  path: string,
  found: Matches,
  findings: Findings,
): JsonObject {
  const record: JsonObject = {};
  for (const [name, field] of Object.entries(fields)) {
    const here = `${path}.${name}`;
    const matches = matchesIn(found, name);
    if (field.many === true) findings.counts.set(here, (findings.counts.get(here) ?? 0) + matches.length);
    setKey(record, name, shapeField(field, here, matches, findings));
  }
  return record;
}

const matchesIn = (found: Matches, key: string): readonly RawMatch[] =>
  (Object.hasOwn(found, key) ? found[key] : undefined) ?? [];

function shapeValue(field: ExtractField, value: unknown): unknown {
  return field.trim === true && typeof value === 'string' ? value.trim() : value;
}
