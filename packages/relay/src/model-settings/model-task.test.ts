import { startScriptedModel, type Usage } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay } from '../../test/server/test-relay.ts';
import { call, ended } from '../../test/tasks/relay-tasks.ts';
import { lendTab } from '../../test/tasks/scripted-tab.ts';

const KEY = 'sk-canary-21d0';

/** A relay with a tab, whose model clicks once and then finishes. */
async function startHarness(usage: Usage, more: object = {}) {
  const model = await startScriptedModel([
    { ...says({ action: 'click', element: '7', plan: ['Add it'] }), usage },
    { ...says({ action: 'finish', text: 'It is in the cart.' }), usage },
  ]);
  onTestFinished(() => model.close());
  const relay = await startTestRelay({ env: {} });
  const owner = await relay.mint('owner');
  const choice = { provider: 'compatible', model: 'scripted', base_url: model.baseUrl, ...more };
  await call(relay, owner, 'PUT /api/settings/model', choice);
  lendTab(relay.bridge, 'tab_1');
  const run = async (metadata: object = {}) => {
    const order = { prompt: 'Fill the cart', metadata };
    const { task_id } = (await call(relay, owner, 'POST /api/tasks', order)).body;
    return ended(relay, owner, task_id);
  };
  return { model, run };
}

const says = (fields: object) => ({
  text: JSON.stringify({
    ...{ thought: 'I go on.', step_done: false, plan: [], element: '', text: '', json: '', confidence: 0.9 },
    expect: { type: 'none', name: '', to: '' },
    ...fields,
  }),
});

test('a model chosen by an owner at run time decides the steps of a task', async () => {
  const model = await startScriptedModel([
    says({ action: 'click', element: '7', plan: ['Add it'] }),
    says({ action: 'finish', text: 'It is in the cart.', json: '{"items":1}' }),
  ]);
  onTestFinished(() => model.close());
  const relay = await startTestRelay({ env: {} });
  const owner = await relay.mint('owner');
  const choice = { provider: 'compatible', model: 'scripted', base_url: model.baseUrl, api_key: KEY };
  expect((await call(relay, owner, 'PUT /api/settings/model', choice)).status).toBe(200);
  const tab = lendTab(relay.bridge, 'tab_1');
  const schema = { type: 'object', properties: { items: { type: 'integer' } }, required: ['items'] };
  const { task_id } = (await call(relay, owner, 'POST /api/tasks', { prompt: 'Fill the cart', schema })).body;
  expect(await ended(relay, owner, task_id)).toMatchObject({
    ...{ state: 'completed', result: { items: 1 }, steps: 1 },
    plan: { steps: [{ description: 'Add it' }] },
  });
  expect(tab.acts).toEqual(['element.click 7']);
  expect(model.requests()[0]).toMatchObject({ apiKey: KEY, model: 'scripted' });
  model.verify();
});

const USAGE = { inputTokens: 3_000, outputTokens: 200, cachedInputTokens: 2_000 };

test("shows a task's usage beside its limits; without a price its cost is unknown", async () => {
  const { run } = await startHarness(USAGE);
  const task = await run({ max_steps: 7, timeout: 60_000 });
  expect(task).toMatchObject({
    state: 'completed',
    usage: { steps: 2, tokens: 6_400, input_tokens: 6_000, output_tokens: 400, cached_tokens: 4_000 },
  });
  expect(task['budget']).toEqual({ steps: 7, tokens: 500_000, time_ms: 60_000 });
  expect(task['usage']).not.toHaveProperty('cost');
});

test('counts the cost when the model has a price', async () => {
  const { run } = await startHarness(USAGE, { price: { input: 3, output: 15, cached: 0.3 } });
  expect(await run({ max_cost: 1 })).toMatchObject({
    ...{ state: 'completed', budget: { cost: 1 }, usage: { cost: expect.closeTo(0.0132, 6) } },
  });
});

test.each([
  [{ max_steps: 1 }, 'all 1 steps'],
  [{ max_tokens: 3_000 }, '3200 tokens of a budget of 3000'],
  [{ max_cost: 0.005 }, '$0.01 of a budget of $0.01'],
])('a task with %j ends when that is used up, and says so', async (metadata, words) => {
  const { run, model } = await startHarness(USAGE, { price: { input: 3, output: 15, cached: 0.3 } });
  expect(await run(metadata)).toMatchObject({
    ...{ state: 'failed', steps: 1, message: expect.stringContaining(words) },
  });
  expect(model.requests()).toHaveLength(1);
});

test('refuses a cost limit without a price before any spending', async () => {
  const { run, model } = await startHarness(USAGE);
  expect(await run({ max_cost: 1 })).toMatchObject({
    ...{ state: 'failed', message: expect.stringContaining('Set the price of the model') },
  });
  expect(model.requests()).toHaveLength(0);
});
