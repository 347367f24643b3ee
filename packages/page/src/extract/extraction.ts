import type { ExtractEntry, ExtractField } from '@drawbridge/protocol/manifest';
import type { LocateContext } from '../locate/locator.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import { cleanAnswer } from './clean-value.ts';
import type { ExtractMatches, RawExtraction } from './extraction-result.ts';
import { fieldValue } from './field-value.ts';
import { matchesOf } from './record-search.ts';

/** Reads all declared entries at one moment, without secrets. */
export function extract(entries: readonly ExtractEntry[], context: LocateContext): RawExtraction {
  const { URL: url, title } = context.document;
  const fields = entries.map((entry) => [entry.id, entry] as const);
  const matches = withWalkCache(() => matchesIn(fields, context.document, context));
  return cleanAnswer({ url, title, matches }, context.cleaner());
}

function matchesIn(
  fields: readonly (readonly [string, ExtractField])[],
  from: Document | Element,
  context: LocateContext,
): ExtractMatches {
  // Not by assignment: a field may be called `__proto__`.
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      matchesOf(field, from, context).map((element) =>
        field.fields === undefined
          ? { value: fieldValue(element, field) }
          : { fields: matchesIn(Object.entries(field.fields), element, context) },
      ),
    ]),
  );
}
