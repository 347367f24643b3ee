import type { ExtractEntry, ExtractField } from '@drawbridge/protocol/manifest';
import type { LocateScene } from '../locate/locator.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import { cleanAnswer } from './clean-value.ts';
import type { Extraction } from './extraction-result.ts';
import { fieldValue } from './field-value.ts';
import { matchesOf } from './record-search.ts';

interface Findings {
  readonly counts: Map<string, number>;
  readonly missing: Set<string>;
}

/** Reads what the entries declare, all of it at one moment, and nothing that is secret. */
export function extract(entries: readonly ExtractEntry[], scene: LocateScene): Extraction {
  const { document } = scene;
  const findings: Findings = { counts: new Map(), missing: new Set() };
  const records = withWalkCache(() =>
    entries.map((entry) => {
      const matches = matchesOf(entry, document, scene);
      findings.counts.set(entry.id, matches.length);
      return [entry.id, shape(entry, entry.id, matches, scene, findings)] as const;
    }),
  );
  const { url, title, read } = cleanAnswer(
    { url: document.URL, title: document.title, read: records },
    scene.clean,
  ) as { url: string; title: string; read: [string, unknown][] };
  return {
    url,
    title,
    records: Object.fromEntries(read),
    selector_counts: Object.fromEntries(findings.counts),
    missing_required_fields: [...findings.missing],
  };
}

/** Applies `many`, `trim`, `required` and `default`. A match with nothing to read counts as none. */
function shape(
  field: ExtractField,
  path: string,
  matches: readonly Element[],
  scene: LocateScene,
  findings: Findings,
): unknown {
  const read = (element: Element) =>
    field.fields === undefined
      ? trimmed(fieldValue(element, field), field)
      : record(field.fields, path, element, scene, findings);
  const values = matches.map(read).filter((value) => value !== null && value !== undefined);
  if (field.required === true && values.length === 0) findings.missing.add(path);
  if (field.many === true) return values.length === 0 && field.default !== undefined ? field.default : values;
  return values[0] ?? field.default ?? null;
}

function record(
  fields: Readonly<Record<string, ExtractField>>,
  path: string,
  element: Element,
  scene: LocateScene,
  findings: Findings,
): Record<string, unknown> {
  // Not by assignment: a field may be called `__proto__`.
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const here = `${path}.${name}`;
      const matches = matchesOf(field, element, scene);
      if (field.many === true) findings.counts.set(here, (findings.counts.get(here) ?? 0) + matches.length);
      return [name, shape(field, here, matches, scene, findings)];
    }),
  );
}

const trimmed = (value: unknown, { trim }: ExtractField): unknown =>
  trim === true && typeof value === 'string' ? value.trim() : value;
