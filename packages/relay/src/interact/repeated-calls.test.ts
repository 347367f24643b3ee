import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { CLICK, FINISH, FIRST, startInteract } from '../../test/interact/interact-harness.ts';

test('[INT-74] concurrent equal calls share one decision; a different concurrent call of the task gets 409', async () => {
  const steps: (() => void)[] = [];
  const { call, brain, relay } = await startInteract(
    ({ memory }) =>
      new Promise((resolve) => {
        if (memory === undefined) resolve(CLICK);
        else steps.push(() => resolve(FINISH));
      }),
  );
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  const second = { ...FIRST, taskId, lastActionStatus: 'success' };
  const equal = [call(second), call(second)];
  while (steps.length === 0) await new Promise(setImmediate);
  expect(await call({ ...second, pageTitle: 'Another' })).toMatchObject({
    status: 409,
    body: { success: false, code: 'task_busy', path: 'taskId' },
  });
  for (const step of steps) step();
  const [one, other] = await Promise.all(equal);
  expect(one?.body).toMatchObject({ success: true, data: { action: 'finish()', taskId, sessionId } });
  expect(other?.body).toEqual(one?.body);
  expect(brain.inputs).toHaveLength(2);
  expect(await relay.ledger.task(taskId)).toMatchObject({ revision: 2 });
});

test('[INT-74] concurrent equal first calls start one task', async () => {
  const { brain, relay, device } = await startInteract();
  const identity = { device_id: device.device_id, roles: ['runtime'], label: '', scopes: [] } as const;
  const first = { url: FIRST.url, query: FIRST.query, interactiveTree: FIRST.interactiveTree };
  const answers = await Promise.all([1, 2, 3].map(() => relay.interactPort.interact(identity, first)));
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(brain.inputs).toHaveLength(1);
  expect(await relay.ledger.tasksBefore(null, 9)).toHaveLength(1);
});

test('[INT-75] [INT-284] a call with the same key gets the stored answer, and adds no step and no message', async () => {
  let count = 0;
  const { call, brain, get, relay, device } = await startInteract(() => {
    count += 1;
    return { ...CLICK, thought: `Step ${count}` };
  });
  const key = { 'idempotency-key': 'first' };
  const first = await call(FIRST, key);
  expect((await call(FIRST, key)).body).toEqual(first.body);
  const { taskId, sessionId } = first.body.data;
  const second = { ...FIRST, taskId };
  const later = await call(second, { 'idempotency-key': 'second' });
  expect(later.body.data.thought).toBe('Step 2');
  expect((await call(second, { 'idempotency-key': 'second' })).body).toEqual(later.body);
  // Also an older one, after the task has advanced.
  expect((await call(FIRST, key)).body).toEqual(first.body);
  expect(brain.inputs).toHaveLength(2);
  expect((await get(`/api/session/${sessionId}/messages`)).body.total).toBe(3);
  const other = await relay.mint('runtime');
  const theirs = await fetch(`${relay.url}/api/agent/interact`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.token}`, ...key },
    body: JSON.stringify(FIRST),
  });
  expect((await theirs.json()).data.taskId).not.toBe(taskId);
  const again = await relay.restart();
  const repeated = await fetch(`${again.url}/api/agent/interact`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.token}`, ...key },
    body: JSON.stringify(FIRST),
  });
  expect(await repeated.json()).toEqual(first.body);
});

test('refuses an invalid key and names it', async () => {
  const { call } = await startInteract();
  for (const key of ['a b', 'x'.repeat(201)]) {
    expect(await call(FIRST, { 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { path: 'Idempotency-Key' },
    });
  }
});

test('[INT-283] a caller that disconnected gets its answer on retry; a delivered call is decided again', async () => {
  let reached = () => {};
  const thinking = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let go = () => {};
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { call, brain, relay, device, get } = await startInteract(async () => {
    reached();
    await released;
    return CLICK;
  });
  const closed = new Promise<void>((resolve) => {
    const watch = (message: unknown) => {
      if (isConnection(message)) message.socket.once('close', () => setImmediate(resolve));
      unsubscribe('net.server.socket', watch);
    };
    subscribe('net.server.socket', watch);
  });
  const leaving = request(`${relay.url}/api/agent/interact`, {
    method: 'POST',
    agent: new Agent(),
    headers: { authorization: `Bearer ${device.token}` },
  });
  leaving.on('error', () => {});
  leaving.end(JSON.stringify(FIRST));
  await thinking;
  leaving.destroy();
  await closed;
  go();
  while ((await relay.ledger.tasksBefore(null, 1)).length === 0);
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  expect(brain.inputs).toHaveLength(1);
  expect((await get(`/api/session/${sessionId}/messages`)).body.total).toBe(2);
  expect((await call(FIRST)).body.data.taskId).not.toBe(taskId);
  const second = { ...FIRST, taskId };
  await call(second);
  await call(second);
  expect(brain.inputs).toHaveLength(4);
});

const isConnection = (message: unknown): message is { readonly socket: Socket } =>
  typeof message === 'object' && message !== null && 'socket' in message && message.socket instanceof Socket;
