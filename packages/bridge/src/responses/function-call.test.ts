import { type ActionCall, type ActionCallOutput, BridgeError } from '@drawbridge/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorItem } from '../error-item.ts';
import { actionCallOf, answerOf, functionCallOf, functionCallOutputOf } from './function-call.ts';
import { createFunctionNames } from './function-names.ts';

const names = createFunctionNames(['cart.add', 'search']);
const call = {
  type: 'function_call',
  call_id: 'call_9',
  name: 'cart__add',
  arguments: '{"sku":"tea"}',
} as const;

test('[BRG-110] maps name, arguments and call id of a function call to the action call', () => {
  expect(actionCallOf(call, names)).toEqual({
    type: 'action_call',
    call_id: 'call_9',
    name: 'cart.add',
    arguments: { sku: 'tea' },
  });
  expect(actionCallOf(call, names, { runtime_id: 'r1', timeout_ms: 10 })).toMatchObject({
    runtime_id: 'r1',
    timeout_ms: 10,
  });
});

test('[BRG-110] fails with unknown_action for a function that was not offered', () => {
  expect(() => actionCallOf({ ...call, name: 'cart.add' }, names)).toThrow(
    expect.objectContaining({ code: 'unknown_action' }),
  );
});

test.each(['', '{"sku":', '[]', '"tea"', 'null', '7', '{"__proto__":{"a":1}}', `${'['.repeat(99)}`])(
  '[BRG-112] the arguments %j get invalid_input',
  (text) => {
    expect(() => actionCallOf({ ...call, arguments: text }, names)).toThrow(
      expect.objectContaining({
        name: 'BridgeError',
        code: 'invalid_input',
        evidence: { path: 'arguments', name: 'cart.add' },
      }),
    );
  },
);

test('[BRG-111] returns the output as a JSON string with the same call_id, like the contract’s example', () => {
  const output = { ok: true, result: { url: 'https://example.com/search?q=maps' } };
  const item: ActionCallOutput = {
    type: 'action_call_output',
    call_id: 'call-123',
    runtime_id: 'r1',
    output,
  };
  expect(functionCallOutputOf(item)).toEqual({
    type: 'function_call_output',
    call_id: 'call-123',
    output: '{"ok":true,"result":{"url":"https://example.com/search?q=maps"}}',
  });
  expect(item.output).toBe(output);
});

test('[BRG-111] returns null for no output, and a JSON string for text', () => {
  const item = { type: 'action_call_output', call_id: 'c1', runtime_id: 'r1' } as const;
  expect(functionCallOutputOf({ ...item, output: undefined }).output).toBe('null');
  expect(functionCallOutputOf({ ...item, output: 'done' }).output).toBe('"done"');
});

test('[BRG-113] returns an error as a function_call_output with the structured error', () => {
  const error = new BridgeError('target_not_found', 'There is no such button.', { evidence: { at: 1 } });
  const item = { ...errorItem(error, { runtime_id: 'r1' }), call_id: 'c1' };
  const sent = functionCallOutputOf(item);
  expect(sent).toMatchObject({ type: 'function_call_output', call_id: 'c1' });
  expect(JSON.parse(sent.output)).toMatchObject({ error: error.toJSON() });
});

test('[BRG-109] round-trips a call', () => {
  const args = fc.dictionary(
    fc.string().filter((key) => key !== '__proto__' && key !== 'constructor'),
    fc.jsonValue({ maxDepth: 3 }),
  );
  fc.assert(
    fc.property(args, fc.constantFrom('cart.add', 'search'), (given, name) => {
      const item: ActionCall = {
        type: 'action_call',
        call_id: 'c1',
        name,
        arguments: JSON.parse(JSON.stringify(given)),
      };
      expect(actionCallOf(functionCallOf(item, names), names)).toEqual(item);
    }),
    { numRuns: 500, seed: 5 },
  );
});

test('[BRG-109] round-trips an output and an error', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const output: unknown = JSON.parse(JSON.stringify(value));
      const item: ActionCallOutput = { type: 'action_call_output', call_id: 'c1', runtime_id: 'r1', output };
      expect(answerOf(functionCallOutputOf(item), 'r1')).toEqual(item);
    }),
    { numRuns: 500, seed: 5 },
  );
  const error = new BridgeError('unsafe_state', 'This is a payment page.', {
    evidence: { url: 'https://a/' },
  });
  const item = { ...errorItem(error, { runtime_id: 'r1' }), call_id: 'c1' };
  expect(answerOf(functionCallOutputOf(item), 'r1')).toEqual(item);
});
