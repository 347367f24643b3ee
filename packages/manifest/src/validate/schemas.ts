import type { CheckContext } from './check-context.ts';
import type { Findings } from './finding.ts';
import { compileSchema } from './json-schema.ts';
import { type Part, partOf, partsOf } from './part.ts';
import { MAP_PATTERNS } from './pattern-budget.ts';

/** The JSON Schemas of a map must be applicable and must not be able to hang a validator. */
export function* checkSchemas({ map }: CheckContext): Findings {
  let weight = 0;
  for (const { value, path } of schemasOf(map)) {
    if (weight > MAP_PATTERNS.weight) {
      const message = 'has patterns that are too large together with those before: use fewer or smaller ones';
      return yield { code: 'unsafe_pattern', path, message };
    }
    const { problems, patternWeight } = compileSchema(value);
    weight += patternWeight;
    for (const { at, code, message } of problems)
      yield { code, path: [...path, ...at.map(asSegment)], message };
  }
}

/** An index only inside a list: a property may be called `0`. */
const asSegment = (segment: string, index: number, all: readonly string[]): string | number =>
  /^\d+$/.test(segment) && LISTS.has(all[index - 1] ?? '') ? Number(segment) : segment;

const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);

function schemasOf(map: Part): Part[] {
  const tools = partsOf(map, 'tools');
  const snapshots = partsOf(map, 'state_projections').flatMap((part) => partOf(part, 'snapshot') ?? []);
  return [
    ...tools.flatMap((tool) => partOf(tool, 'input_schema') ?? []),
    ...tools.flatMap((tool) =>
      [partOf(tool, 'x_actions')].flatMap((part) => (part && partOf(part, 'result_schema')) ?? []),
    ),
    ...partsOf(map, 'signals').flatMap((signal) => partOf(signal, 'payload') ?? []),
    ...snapshots.flatMap((snapshot) => partOf(snapshot, 'output_schema') ?? []),
  ];
}
