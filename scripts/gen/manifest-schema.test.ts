import { put, SHOP } from '@drawbridge/manifest/test/validate/sample-map';
import { Check } from 'typebox/schema';
import { expect, test } from 'vitest';
import { manifestSchema } from './manifest-schema.ts';

const schema = manifestSchema();

test('accepts a map that uses every part', () => {
  expect(Check(schema, SHOP)).toBe(true);
  expect(Check(schema, { $schema: 'actions.v1.json', ...SHOP })).toBe(true);
});

test.each<[string, unknown]>([
  ['version', '1'],
  ['tools.0.name', 'a b'],
  ['tools.0.workflow.steps.0.settle_afer', {}],
  ['tools.0.workflow.steps.1.settle_after.delay_ms', 7],
  ['tools.0.workflow.steps.2.max_items', undefined],
  ['tools.0.workflow.postcondition', {}],
  ['tools.1.x_actions', { static_output: {} }],
  ['tools.1.x_actions.execution.steps.0.type', undefined],
  ['context.0.load_when.url_contains', 7],
  ['signals.0.event', undefined],
  ['attachments.0.lifecycle.install', 7],
  ['checks.0.assertions.0.visible', 'yes'],
  ['state_projections.0.snapshot.extract.0.fields.options.fields.label.property', 'innerHTML'],
])('the schema refuses a map with a wrong %s', (path, value) => {
  const map: unknown = JSON.parse(JSON.stringify(put(path, value)));
  expect(Check(schema, map)).toBe(false);
});

test('an editor shows the description of a field', () => {
  expect(JSON.stringify(schema)).toContain('"description":"Ours: `irreversible` asks a person first');
});
