import { type ActionCallOutput, type ActionError, BridgeError, type BridgeItem } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { startScriptedModel } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { readyItem, setUp } from '../../test/bridge-harness.ts';
import type { Bridge } from '../bridge.ts';
import { errorItem } from '../error-item.ts';
import {
  actionCallOf,
  type FunctionCall,
  type FunctionCallOutput,
  functionCallOutputOf,
} from './function-call.ts';
import { createFunctionNames, type FunctionNames } from './function-names.ts';
import { functionToolsOf } from './function-tools.ts';

const TOOLS = [
  {
    name: 'cart.add',
    description: 'Puts something into the cart.',
    input_schema: { type: 'object', properties: { sku: { type: 'string' } } },
  },
  { name: 'cart.pay', description: 'Pays.', input_schema: { type: 'object' } },
];

/** A local shop that answers at once. */
function openShop(bridge: Bridge): string[] {
  const cart: string[] = [];
  const connection = bridge.connectRuntime({
    send: (item) => {
      if (item.type !== 'action_call') return;
      const { call_id, name } = item;
      const about = { call_id, runtime_id: 'shop' };
      if (name === 'cart.pay') {
        const error = new BridgeError('permission_denied', 'Nobody allowed to pay. Ask the person.');
        connection.receive(errorItem(error, about));
        return;
      }
      cart.push(String(item.arguments['sku']));
      connection.receive({ type: 'action_call_output', ...about, output: { items: [...cart] } });
    },
  });
  connection.receive(readyItem({ runtime_id: 'shop', manifest: { tools: TOOLS } }));
  return cart;
}

type Answer = ActionCallOutput | ActionError;

/** One agent connection of a Responses client: a call in, its answer out. */
function connect(bridge: Bridge, names: FunctionNames) {
  const waiting = new Map<string, (answer: Answer) => void>();
  const connection = bridge.connectAgent({
    send: (item: BridgeItem) => {
      if (item.type !== 'action_call_output' && item.type !== 'action_error') return;
      waiting.get(item.call_id ?? '')?.(item);
    },
  });
  return async (call: FunctionCall): Promise<FunctionCallOutput> => {
    const { call_id } = call;
    try {
      const item = actionCallOf(call, names);
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(call_id, resolve);
        connection.receive(item);
      });
      return functionCallOutputOf({ ...answer, call_id });
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      return functionCallOutputOf({ ...errorItem(error), call_id });
    }
  };
}

const isFunctionCall = (item: unknown): item is FunctionCall =>
  isObject(item) && item['type'] === 'function_call';

/** Asks, runs the model's calls, asks again: https://platform.openai.com/docs/guides/function-calling */
async function converse(baseUrl: string, run: ReturnType<typeof connect>, names: FunctionNames) {
  const input: unknown[] = [{ role: 'user', content: 'Buy tea.' }];
  for (;;) {
    const response = await fetch(`${baseUrl}/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scripted', input, tools: functionToolsOf(TOOLS, names) }),
    });
    const { output }: { output: unknown[] } = await response.json();
    input.push(...output);
    const calls = output.filter(isFunctionCall);
    if (calls.length === 0) return input;
    input.push(...(await Promise.all(calls.map(run))));
  }
}

test('[BRG-110] [BRG-111] [BRG-113] drives a runtime from a Responses model over the bridge', async () => {
  await using model = await startScriptedModel([
    {
      expect: ({ body }) =>
        expect(body['tools']).toMatchObject([{ name: 'cart__add' }, { name: 'cart__pay' }]),
      toolCalls: [
        { id: 'call_1', name: 'cart__add', input: { sku: 'tea' } },
        { id: 'call_2', name: 'cart__add', input: { sku: 'cup' } },
      ],
    },
    { toolCalls: [{ id: 'call_3', name: 'cart__pay', input: {} }] },
    { toolCalls: [{ id: 'call_4', name: 'cart__steal', input: {} }] },
    { text: 'It is in your cart.' },
  ]);
  const { bridge } = setUp();
  const cart = openShop(bridge);
  const names = createFunctionNames(TOOLS.map(({ name }) => name));
  const input = await converse(model.baseUrl, connect(bridge, names), names);

  expect(cart).toEqual(['tea', 'cup']);
  const outputs = input.filter((item) => isObject(item) && item['type'] === 'function_call_output');
  expect(outputs.slice(0, 2)).toEqual([
    { type: 'function_call_output', call_id: 'call_1', output: '{"items":["tea"]}' },
    { type: 'function_call_output', call_id: 'call_2', output: '{"items":["tea","cup"]}' },
  ]);
  expect(outputs.slice(2)).toEqual([
    expect.objectContaining({
      call_id: 'call_3',
      output: expect.stringContaining('"code":"permission_denied"'),
    }),
    expect.objectContaining({
      call_id: 'call_4',
      output: expect.stringContaining('"code":"unknown_action"'),
    }),
  ]);
  expect(model.requests().at(-1)?.body['input']).toEqual(input.slice(0, -1));
  model.verify();
});
