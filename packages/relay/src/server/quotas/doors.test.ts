import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestRelay, type TestDevice, type TestRelay } from '../server.suite.ts';

/** A socket at a door of the bridge, and what came to it. */
async function openDoor(relay: TestRelay, path: string, { token }: TestDevice) {
  const socket = new WebSocket(relay.url.replace('http', 'ws') + path, 'drawbridge', {
    headers: { authorization: `Bearer ${token}` },
  });
  onTestFinished(() => socket.terminate());
  const items: Readonly<Record<string, unknown>>[] = [];
  socket.on('message', (data) => items.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return { socket, items, send: (item: object) => socket.send(JSON.stringify(item)) };
}

const asked = async (relay: TestRelay, { token }: TestDevice, route: string, body?: object) => {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(`${relay.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
};

const ready = (runtime_id: string, chars = 0) => ({
  ...{ type: 'runtime_ready', runtime_id, url: 'https://shop.example/' },
  manifest: { tools: [], note: 'x'.repeat(chars) },
});

test.each([
  ['agent', '/ws/agent', { type: 'agent_hello', features: ['agent_hello'] }],
  ['runtime', '/ws/runtime', { type: 'action_call', call_id: 'c', name: 'x', arguments: {} }],
] as const)('frames of a flooding %s wait at %s, and others are answered', async (role, path, frame) => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({
    clock,
    limits: { bridge_frames_per_second: 100, bridge_burst: 200 },
  });
  const device = await relay.mint(role);
  const doors = [await openDoor(relay, path, device), await openDoor(relay, path, device)];
  const answers = () => doors.flatMap(({ items }) => items).length;
  for (const { send } of doors) for (let at = 0; at < 300; at += 1) send(frame);
  await expect.poll(answers).toBe(200);
  const other = await relay.connect('person');
  await other.settled();
  const quiet = await openDoor(relay, path, await relay.mint(role));
  quiet.send(frame);
  await expect.poll(() => quiet.items.length).toBe(1);
  expect(answers()).toBe(200);
  clock.advance(1_000);
  await expect.poll(answers).toBe(300);
});

test('a long frame counts as many', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({
    clock,
    limits: { bridge_frames_per_second: 100, bridge_burst: 200 },
  });
  const door = await openDoor(relay, '/ws/agent', await relay.mint('agent'));
  const frame = { type: 'agent_hello', features: ['agent_hello'], note: 'x'.repeat(500_000) };
  for (let at = 0; at < 10; at += 1) door.send(frame);
  await expect.poll(() => door.items.length).toBe(2);
  await (await relay.connect('person')).settled();
  expect(door.items).toHaveLength(2);
});

test('the maps of a device are limited over all its connections, and others still announce theirs', async () => {
  const relay = await startTestRelay({ limits: { map_bytes: 1_000_000, bridge_burst: 100_000 } });
  const device = await relay.mint('runtime');
  for (let at = 0; at < 5; at += 1) {
    const door = await openDoor(relay, '/ws/runtime', device);
    for (let tab = 0; tab < 2; tab += 1) door.send(ready(`tab_${at}_${tab}`, 300_000));
    door.send({ type: 'runtime_status', runtime_id: 'nobody' });
    await expect.poll(() => door.items.some((item) => item['runtime_id'] === 'nobody')).toBe(true);
    if (at > 1) expect(JSON.stringify(door.items)).toContain('map_bytes');
  }
  expect(relay.bridge.runtimes()).toHaveLength(3);
  const other = await openDoor(relay, '/ws/runtime', await relay.mint('runtime'));
  other.send(ready('other', 300_000));
  await expect.poll(() => relay.bridge.runtimes().length).toBe(4);
});

test('a device lends so many tabs, and no more', async () => {
  const relay = await startTestRelay({ limits: { runtimes: 3 } });
  const device = await relay.mint('runtime');
  const doors = [await openDoor(relay, '/ws/runtime', device), await openDoor(relay, '/ws/runtime', device)];
  doors.forEach(({ send }, door) => {
    for (let tab = 0; tab < 3; tab += 1) send(ready(`tab_${door}_${tab}`));
  });
  await expect.poll(() => JSON.stringify(doors.map(({ items }) => items))).toContain('limit runtimes');
  expect(relay.bridge.runtimes()).toHaveLength(3);
});

test('what is known of a runtime does not grow with its statuses, nor after it has gone', async () => {
  const relay = await startTestRelay();
  const door = await openDoor(relay, '/ws/runtime', await relay.mint('runtime'));
  door.send({ ...ready('tab'), extra: 'x'.repeat(100_000) });
  for (let at = 0; at < 10; at += 1) {
    door.send({ type: 'runtime_status', runtime_id: 'tab', [`x${at}`]: 'x'.repeat(10_000) });
  }
  await expect.poll(() => door.items.filter(({ type }) => type === 'action_error').length).toBe(7);
  const [tab] = relay.bridge.runtimes();
  expect(JSON.stringify(tab?.status).length).toBeLessThan(32_768);
});

test('a device opens so many bridge connections', async () => {
  const relay = await startTestRelay({ limits: { bridge_sockets: 3 } });
  const device = await relay.mint('agent');
  const doors = await Promise.all([1, 2, 3, 4].map(() => openDoor(relay, '/ws/agent', device)));
  await expect.poll(() => doors.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length).toBe(3);
});

test('requests beyond the limit are refused with what and when; others, halt and revoking are not', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock, limits: { requests_per_second: 10, request_burst: 20 } });
  const owner = await relay.mint('owner');
  for (const route of ['GET /api/tasks', 'GET /api/me', 'GET /mcp', 'GET /bridge/agent/items']) {
    const device = await relay.mint('owner');
    for (let at = 0; at < 20; at += 1) expect((await asked(relay, device, route)).status).not.toBe(429);
    const refused = await asked(relay, device, route);
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited', limit: 'requests_per_second', retry_after: 1 } },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await asked(relay, device, 'POST /api/halt')).status).toBe(200);
    const revoked = await relay.mint('agent');
    expect((await asked(relay, device, `DELETE /api/devices/${revoked.device_id}`)).status).toBe(204);
    clock.advance(100);
    expect((await asked(relay, device, route)).status).not.toBe(429);
  }
  expect((await asked(relay, owner, 'GET /api/me')).status).toBe(200);
  const metrics = await (await fetch(`${relay.url}/metrics`)).text();
  expect(metrics).toContain('drawbridge_limit{name="requests_per_second"} 10\n');
  expect(metrics).toContain('drawbridge_over_limit_total{name="requests_per_second"} 4\n');
});

test('a long body counts as many requests', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock, limits: { requests_per_second: 1, request_burst: 20 } });
  const device = await relay.mint('agent');
  const body = { prompt: 'x', note: 'x'.repeat(1_500_000) };
  expect((await asked(relay, device, 'POST /api/tasks', body)).status).toBe(400);
  await expect.poll(async () => (await asked(relay, device, 'GET /api/tasks')).status).toBe(429);
});
