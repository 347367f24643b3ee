import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestRelay, upgradeStatus } from '../../test/server/test-relay.ts';
import { createReportLog, startTaskRelay } from '../../test/task-clients/task-client-harness.ts';
import { mintTaskClient } from './task-token.ts';

const tokenIn = (path: string): string => path.split('token=')[1] ?? '';
const ORDER = { label: 'Extension', by: 'machine' } as const;

test('[TSK-25] the port exists only when it is switched on', async () => {
  const relay = await startTestRelay();
  const off = await mintTaskClient(relay.devices, ORDER);
  for (const path of [off.path, `/ws/tasks?token=${tokenIn(off.path)}`]) {
    expect(await upgradeStatus(relay.url, path)).toBe(401);
  }
  const owner = { authorization: `Bearer ${relay.devices.owner?.token}` };
  const asked = await fetch(`${relay.url}/api/task-clients`, { method: 'POST', headers: owner });
  expect(asked.status).toBe(404);
  const harness = await startTaskRelay();
  const { path } = await harness.mint();
  for (const at of [path, `/ws/tasks?token=${tokenIn(path)}`]) {
    expect(await upgradeStatus(harness.relay.url, at)).toBe(101);
  }
});

test('[TSK-26] a missing, wrong or revoked token is refused at the upgrade', async () => {
  const { relay, mint, connect } = await startTaskRelay();
  const { path, device_id } = await mint();
  for (const at of ['/', '/ws/tasks', '/?token=', '/?token=wrong', `/ws/tasks?tokens=${tokenIn(path)}`]) {
    expect(await upgradeStatus(relay.url, at), at).toBe(401);
  }
  const headers = { authorization: `Bearer ${tokenIn(path)}` };
  expect(await upgradeStatus(relay.url, '/', { headers })).toBe(401);
  const extension = await connect(path);
  await relay.devices.revoke(device_id, 'machine');
  expect(await extension.closed).toBe(1008);
  expect(relay.taskClients.clients()).toEqual([]);
  expect(await upgradeStatus(relay.url, path)).toBe(401);
});

test('[TSK-26] a task of a revoked client is lost at once, whatever it sends afterwards', async () => {
  const { relay, mint, connect } = await startTaskRelay();
  const { path, device_id } = await mint();
  const extension = await connect(path);
  const { on } = createReportLog();
  const run = relay.taskClients.run({ task_id: 't', prompt: 'p' }, on);
  await extension.next();
  await relay.devices.revoke(device_id, 'machine');
  expect(await run.ended).toMatchObject({ state: 'unknown' });
});

test('[TSK-27] the token opens this port and nothing else', async () => {
  const { relay, mint } = await startTaskRelay();
  const token = tokenIn((await mint()).path);
  const authorization = `Bearer ${token}`;
  for (const path of ['/ws/chat', '/ws/runtime', '/ws/agent', '/']) {
    expect(await upgradeStatus(relay.url, path, { headers: { authorization } }), path).toBe(401);
    const own = { cookie: `drawbridge=${token}`, origin: relay.url };
    expect(await upgradeStatus(relay.url, path, { headers: own }), path).toBe(401);
  }
  for (const path of ['/ws/chat', '/ws/runtime', '/ws/agent']) {
    expect(await upgradeStatus(relay.url, `${path}?token=${token}`), path).toBe(401);
  }
  // Each attempt counts as a failure: few enough to stay below the limit.
  const again = await startTaskRelay();
  const other = { authorization: `Bearer ${tokenIn((await again.mint()).path)}` };
  for (const path of ['/api/me', '/api/sessions', '/api/devices', '/mcp', '/bridge/runtime/items']) {
    expect((await fetch(again.relay.url + path, { headers: other })).status, path).toBe(401);
  }
});

test('[TSK-27] no other token opens the port', async () => {
  const { relay } = await startTaskRelay();
  for (const role of ['owner', 'person', 'runtime', 'agent'] as const) {
    const { token } = await relay.mint(role);
    expect(await upgradeStatus(relay.url, `/?token=${token}`), role).toBe(401);
  }
});

test('[TSK-27] no log shows the token', async () => {
  const { relay, mint, connect } = await startTaskRelay();
  const { path } = await mint();
  const extension = await connect(path);
  await upgradeStatus(relay.url, '/?token=dbr_wrong-token');
  extension.socket.close();
  await extension.closed;
  await relay.close();
  const log = relay.lines.join('\n');
  for (const word of ['task_client_opened', 'task_client_closed', 'credential_refused']) {
    expect(log).toContain(word);
  }
  for (const secret of [tokenIn(path), 'wrong-token', 'token=']) expect(log).not.toContain(secret);
});

test('[TSK-63] only an owner gets an address to paste into the extension', async () => {
  const { relay } = await startTaskRelay();
  const ask = (token: string) =>
    fetch(`${relay.url}/api/task-clients`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  const { path, device_id } = await (await ask((await relay.mint('owner')).token)).json();
  expect(await upgradeStatus(relay.url, path)).toBe(101);
  const list = await relay.devices.list();
  expect(list.find((device) => device.device_id === device_id)).toMatchObject({
    roles: ['runtime'],
    scopes: ['tasks'],
  });
  for (const role of ['person', 'runtime', 'agent'] as const) {
    expect((await ask((await relay.mint(role)).token)).status, role).toBe(403);
  }
});

test('refuses a page of another origin without a token, and one browser too many', async () => {
  const { relay, mint } = await startTaskRelay();
  const headers = { origin: 'https://evil.example' };
  expect(await upgradeStatus(relay.url, '/', { headers })).toBe(403);
  const { path } = await mint();
  const sockets = Array.from({ length: 32 }, () => new WebSocket(relay.url.replace('http', 'ws') + path));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('open', resolve))));
  expect(await upgradeStatus(relay.url, path)).toBe(429);
  for (const socket of sockets) socket.terminate();
});
