import { startScriptedModel } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay } from '../server/server.suite.ts';
import { call, ended } from '../tasks/relay-tasks.suite.ts';
import { lendTab } from '../tasks/scripted-tab.suite.ts';

const KEY = 'sk-canary-21d0';

const says = (fields: object) => ({
  text: JSON.stringify({
    ...{ thought: 'I go on.', step_done: false, plan: [], element: '', text: '', json: '', confidence: 0.9 },
    expect: { type: 'none', name: '', to: '' },
    ...fields,
  }),
});

test('a model that an owner chose while the relay runs decides the steps of a task', async () => {
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
