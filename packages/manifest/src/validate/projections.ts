import { ExtractEntry, ExtractField } from '@drawbridge/protocol/manifest';
import { type CheckContext, checkExpressionSlot } from './check-context.ts';
import type { Findings } from './finding.ts';
import { checkInherited, checkUnique } from './names.ts';
import { type Part, partOf, partsOf } from './part.ts';
import { checkVerification } from './postcondition.ts';
import { checkShape } from './shape.ts';

export function* checkProjections(context: CheckContext): Findings {
  for (const projection of partsOf(context.map, 'state_projections')) {
    const snapshot = partOf(projection, 'snapshot');
    if (snapshot !== undefined) yield* checkSnapshot(snapshot);
    yield* checkSummaries(projection);
    yield* checkPostconditions(context, projection);
  }
}

function* checkSnapshot(snapshot: Part): Findings {
  const entries = partsOf(snapshot, 'extract');
  yield* checkUnique(entries, 'id');
  for (const entry of entries) {
    yield* checkShape(ExtractEntry, entry.value, entry.path);
    yield* checkInherited(entry, 'id');
    if (!('selector' in entry.value) && !('xpath' in entry.value)) {
      const message = 'needs `selector` or `xpath`: what it reads';
      yield { code: 'missing_field', path: [...entry.path, 'selector'], message, expected: 'a CSS selector' };
    }
    yield* checkField(entry);
  }
  const projection = partOf(snapshot, 'projection');
  if (projection !== undefined)
    yield* checkExpressionSlot(projection.value['expression'], [...projection.path, 'expression']);
}

/** Rules for an entry and for each nested field. */
function* checkField(field: Part): Findings {
  if ('property' in field.value && 'attribute' in field.value) {
    const message = 'reads `property` and `attribute`: a field takes one of the two';
    yield {
      code: 'one_of_two',
      path: field.path,
      message,
      expected: 'at most one of `property` and `attribute`',
    };
  }
  if ('selector' in field.value && 'xpath' in field.value) {
    const message = 'searches by `selector` and `xpath`: a field takes one of the two';
    yield {
      code: 'one_of_two',
      path: field.path,
      message,
      expected: 'at most one of `selector` and `xpath`',
    };
  }
  const fields = partOf(field, 'fields');
  if (fields === undefined) return;
  for (const [name, value] of Object.entries(fields.value)) {
    yield* checkShape(ExtractField, value, [...fields.path, name]);
    const inner = partOf(fields, name);
    if (inner !== undefined) yield* checkField(inner);
  }
}

function* checkSummaries(projection: Part): Findings {
  const summaries = partsOf(projection, 'summaries');
  yield* checkUnique(summaries, 'name');
  for (const summary of summaries) {
    yield* checkInherited(summary, 'name');
    yield* checkExpressionSlot(summary.value['expression'], [...summary.path, 'expression']);
  }
}

function* checkPostconditions(context: CheckContext, projection: Part): Findings {
  const postconditions = partOf(projection, 'postconditions');
  if (postconditions === undefined) return;
  for (const [tool, value] of Object.entries(postconditions.value)) {
    const path = [...postconditions.path, tool];
    const inner = partOf(postconditions, tool);
    if (inner === undefined) {
      const expected = 'an object with `verify` and `failure_message`';
      yield { code: 'wrong_value', path, message: `must be ${expected}`, expected };
    } else yield* checkVerification(context, inner);
    if (value !== undefined && !context.names.has('tools', tool))
      yield {
        code: 'undeclared_reference',
        path,
        part: 'key',
        message: `is for the tool \`${tool}\`, which the map does not declare`,
      };
  }
}
