import { expect, test } from 'vitest';
import { call } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay } from '../../../test/server/test-relay.ts';
import { click, scriptedBrain, startTaskRelay } from '../../../test/tasks/relay-tasks.ts';
import { lendTab } from '../../../test/tasks/scripted-tab.ts';

const GRANT = {
  grant_id: 'g1',
  origin: 'https://shop.example',
  name: 'cart.add',
  effect: 'act',
  by: 'Phone',
};

test("[BRG-169] [BRG-170] people see and revoke a tab's grants", async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const delivered: unknown[] = [];
  const { device_id: owner } = await relay.mint('runtime');
  const tab = relay.bridge.connectRuntime({ owner, send: (item) => delivered.push(item) });
  tab.receive({
    type: 'runtime_ready',
    runtime_id: 'tab',
    url: 'https://shop.example/',
    title: 'Shop',
    features: ['grants', 'grants_renewed'],
    manifest: { tools: [{ name: 'cart.add' }] },
  });
  tab.receive({ type: 'grants_held', runtime_id: 'tab', grants: [GRANT] });

  expect(await call(relay, person, 'GET /api/runtimes')).toMatchObject({
    status: 200,
    body: {
      runtimes: [
        {
          ...{ runtime_id: 'tab', title: 'Shop', url: 'https://shop.example/', tools: ['cart.add'] },
          browser: 'a runtime',
        },
      ],
    },
  });
  expect(await call(relay, person, 'GET /api/grants')).toMatchObject({
    body: { grants: [{ runtime_id: 'tab', title: 'Shop', ...GRANT }] },
  });
  expect(await call(relay, person, 'DELETE /api/grants/tab/g1')).toMatchObject({ status: 204 });
  expect(delivered.at(-1)).toEqual({ type: 'grants_revoked', runtime_id: 'tab', grant_id: 'g1' });
  expect((await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1))[0]).toMatchObject({
    action: 'grant_revoked',
    device_id: person.device_id,
    detail: { tab: 'Shop', site: 'https://shop.example', tool: 'cart.add' },
  });
  expect(await call(relay, person, 'DELETE /api/grants/elsewhere')).toMatchObject({ status: 404 });
  const agent = await relay.mint('agent');
  expect(await call(relay, agent, 'GET /api/grants')).toMatchObject({ status: 403 });
});

test('[BRG-200] people give reading and acting back, in every tab or in one', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const delivered: unknown[] = [];
  const tab = relay.bridge.connectRuntime({ send: (item) => delivered.push(item) });
  const ready = { type: 'runtime_ready', url: 'https://shop.example/', title: 'Shop' };
  tab.receive({ ...ready, runtime_id: 'tab', features: ['grants', 'grants_renewed'] });
  const old = relay.bridge.connectRuntime({ send: (item) => delivered.push(item) });
  old.receive({ ...ready, runtime_id: 'old', features: ['grants'] });
  delivered.length = 0;
  expect(await call(relay, person, 'POST /api/grants')).toMatchObject({ status: 200, body: { tabs: 1 } });
  expect(await call(relay, person, 'POST /api/grants/tab')).toMatchObject({ body: { tabs: 1 } });
  expect(await call(relay, person, 'POST /api/grants/old')).toMatchObject({ status: 404 });
  expect(delivered).toEqual(
    Array(2).fill({ type: 'grants_renewed', runtime_id: 'tab', by: expect.any(String) }),
  );
  expect((await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1))[0]).toMatchObject({
    action: 'grants_renewed',
    device_id: person.device_id,
    detail: { tab: 'Shop', tabs: 1 },
  });
  for (const role of ['agent', 'runtime'] as const)
    expect(await call(relay, await relay.mint(role), 'POST /api/grants')).toMatchObject({ status: 403 });
});

test('taking a tab over takes over the task that runs in it', async () => {
  const relay = await startTaskRelay(scriptedBrain(click));
  const person = await relay.mint('person');
  const tab = lendTab(relay.bridge, 'tab');
  expect(await call(relay, person, 'POST /api/runtimes/tab/takeover')).toMatchObject({ status: 404 });
  tab.hold();
  const { task_id } = (await call(relay, person, 'POST /api/tasks', { body: { prompt: 'Buy' } })).body;
  await tab.begun(1);
  for (const control of ['takeover', 'handback']) {
    const answered = await call(relay, person, `POST /api/runtimes/tab/${control}`);
    expect(answered).toMatchObject({ status: 200, body: { task_id } });
  }
  tab.release();
});
