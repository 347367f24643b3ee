import { expect, test } from 'vitest';
import { BRIDGE_SAMPLES } from '../../test/bridge/samples.ts';
import { fieldTakes, requiredFields } from '../../test/wire/parse.ts';
import { id, label, listOf, oneOf, type Values } from '../../test/wire/values.ts';
import { BRIDGE_FEATURE_ITEMS, BRIDGE_FEATURES } from './features.ts';
import { bridge } from './protocol.ts';

const amount: Values = { good: [0, 0.5, 100], bad: [-1, '1', null, true] };

test.each([
  ['agent_hello', ['features']],
  ['action_cancel', ['call_id']],
  ['action_progress', ['call_id', 'runtime_id']],
  ['runtime_probe', ['runtime_id', 'probe_id']],
  ['runtime_probe_result', ['runtime_id', 'probe_id', 'state']],
  ['runtime_gone', ['runtime_id', 'reason']],
] as const)('[BRG-133] %s requires its fields', (type, fields) => {
  const sample = type === 'agent_hello' ? { type, features: [] } : BRIDGE_SAMPLES[type];
  requiredFields(bridge, sample, ['type', ...fields]);
});

test.each([
  ['agent_hello', 'features', listOf('runtime_gone')],
  ['agent_hello', 'features[0]', id],
  ['action_cancel', 'call_id', id],
  ['action_cancel', 'reason', label],
  ['action_progress', 'call_id', id],
  ['action_progress', 'runtime_id', id],
  ['action_progress', 'step', label],
  ['action_progress', 'message', label],
  ['action_progress', 'progress', amount],
  ['action_progress', 'total', amount],
  ['runtime_probe', 'runtime_id', id],
  ['runtime_probe', 'probe_id', id],
  ['runtime_probe_result', 'runtime_id', id],
  ['runtime_probe_result', 'probe_id', id],
  ['runtime_probe_result', 'state', oneOf('awake', 'asleep')],
  ['runtime_gone', 'runtime_id', id],
  ['runtime_gone', 'reason', label],
] as const)('[BRG-133] %s takes its kind of %s', (type, path, values) => {
  fieldTakes(bridge, BRIDGE_SAMPLES[type], path, values);
});

const QUESTION_FIELDS = [
  ...['question.question_id', 'question.call_id', 'question.origin', 'question.name', 'question.effect'],
  ...['question.sentence', 'question.data', 'question.call_hash', 'question.timeout_ms'],
  ...['question.page.title', 'question.page.origin', 'question.changed.before', 'question.changed.now'],
];

test.each([
  ['grant_question', ['runtime_id', 'question', ...QUESTION_FIELDS]],
  ['grant_answer', ['question_id', 'decision', 'call_hash', 'by']],
  ['grant_withdrawn', ['question_id']],
] as const)('[BRG-161] %s requires its fields', (type, fields) => {
  requiredFields(bridge, BRIDGE_SAMPLES[type], ['type', ...fields]);
});

const span: Values = { good: [0, 30_000], bad: [-1, 0.5, '1', null] };

test.each([
  ['grant_question', 'runtime_id', id],
  ['grant_question', 'question.question_id', id],
  ['grant_question', 'question.kind', oneOf('permission', 'handover')],
  ['grant_question', 'question.call_id', id],
  ['grant_question', 'question.name', id],
  ['grant_question', 'question.effect', oneOf('read', 'act', 'irreversible')],
  ['grant_question', 'question.sentence', label],
  ['grant_question', 'question.data', listOf('sku: tea')],
  ['grant_question', 'question.page.title', label],
  ['grant_question', 'question.amounts', listOf('Total 49.00 €')],
  ['grant_question', 'question.goods', listOf('2 × Arc lamp')],
  ['grant_question', 'question.sends', listOf('"Quantity": "2"')],
  ['grant_question', 'question.changed.before', listOf('Total 48.00 €')],
  ['grant_question', 'question.changed.now', listOf('Total 49.00 €')],
  ['grant_question', 'question.data[0]', label],
  ['grant_question', 'question.call_hash', id],
  ['grant_question', 'question.timeout_ms', span],
  ['grant_answer', 'question_id', id],
  ['grant_answer', 'decision', oneOf('once', 'always', 'deny')],
  ['grant_answer', 'call_hash', id],
  ['grant_answer', 'by', label],
  ['grant_answer', 'until', span],
  ['grant_answer', 'reason', label],
  ['grant_withdrawn', 'question_id', id],
] as const)('[BRG-161] %s takes its kind of %s', (type, path, values) => {
  fieldTakes(bridge, BRIDGE_SAMPLES[type], path, values);
});

test.each([
  [
    'grants_held',
    ['runtime_id', 'grants', ...['grant_id', 'origin', 'effect', 'by'].map((at) => `grants[0].${at}`)],
  ],
  ['grants_revoked', ['runtime_id']],
] as const)('[BRG-168] %s requires its fields', (type, fields) => {
  requiredFields(bridge, BRIDGE_SAMPLES[type], ['type', ...fields]);
});

test.each([
  ['grants_held', 'grants[0].name', id],
  ['grants_held', 'grants[0].effect', oneOf('read', 'act', 'irreversible')],
  ['grants_held', 'grants[0].by', label],
  ['grants_held', 'grants[0].expires_at', span],
  ['grants_revoked', 'grant_id', id],
] as const)('[BRG-168] %s takes its kind of %s', (type, path, values) => {
  fieldTakes(bridge, BRIDGE_SAMPLES[type], path, values);
});

test('[BRG-134] [BRG-161] [BRG-168] the features name every item beyond the protocol, each once', () => {
  const named = Object.values(BRIDGE_FEATURES).flat();
  expect(named.toSorted()).toEqual(Object.keys(BRIDGE_FEATURE_ITEMS).sort());
});
