import { expect, test } from 'vitest';
import { fieldTakes, requiredFields } from '../wire/parse.suite.ts';
import { id, label, listOf, oneOf, type Values } from '../wire/values.suite.ts';
import { BRIDGE_FEATURE_ITEMS, BRIDGE_FEATURES } from './features.ts';
import { bridge } from './protocol.ts';
import { BRIDGE_SAMPLES } from './samples.suite.ts';

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

test('[BRG-134] the features name every item beyond the protocol, each once', () => {
  const named = Object.values(BRIDGE_FEATURES).flat();
  expect(named.toSorted()).toEqual(Object.keys(BRIDGE_FEATURE_ITEMS).sort());
});
