import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  coreClock,
  startTestRelay,
  type TestDevice,
  type TestRelay,
} from '../../../test/server/test-relay.ts';
import { createMetrics } from '../metrics.ts';
import { RELAY_LIMITS } from '../options.ts';
import { createCallQuota } from './call-quota.ts';

/** A socket at a bridge port, with the messages it received. */
async function openEndpoint(relay: TestRelay, path: string, { token }: TestDevice) {
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

const metricsOf = async (relay: TestRelay): Promise<string> => {
  const { token } = await relay.mint('person');
  return (await fetch(`${relay.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
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
  const endpoints = [await openEndpoint(relay, path, device), await openEndpoint(relay, path, device)];
  const answers = () => endpoints.flatMap(({ items }) => items).length;
  for (const { send } of endpoints) for (let at = 0; at < 300; at += 1) send(frame);
  await expect.poll(answers).toBe(200);
  const other = await relay.connect('person');
  await other.settled();
  const quiet = await openEndpoint(relay, path, await relay.mint(role));
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
  const endpoint = await openEndpoint(relay, '/ws/agent', await relay.mint('agent'));
  const frame = { type: 'agent_hello', features: ['agent_hello'], note: 'x'.repeat(500_000) };
  for (let at = 0; at < 10; at += 1) endpoint.send(frame);
  await expect.poll(() => endpoint.items.length).toBe(2);
  await (await relay.connect('person')).settled();
  expect(endpoint.items).toHaveLength(2);
});

test('limits the maps of a device over all its connections, and others still announce theirs', async () => {
  const relay = await startTestRelay({ limits: { map_bytes: 1_000_000, bridge_burst: 100_000 } });
  const device = await relay.mint('runtime');
  for (let at = 0; at < 5; at += 1) {
    const endpoint = await openEndpoint(relay, '/ws/runtime', device);
    for (let tab = 0; tab < 2; tab += 1) endpoint.send(ready(`tab_${at}_${tab}`, 300_000));
    endpoint.send({ type: 'runtime_status', runtime_id: 'nobody' });
    await expect.poll(() => endpoint.items.some((item) => item['runtime_id'] === 'nobody')).toBe(true);
    if (at > 1) expect(JSON.stringify(endpoint.items)).toContain('map_bytes');
  }
  expect(relay.bridge.runtimes()).toHaveLength(3);
  const other = await openEndpoint(relay, '/ws/runtime', await relay.mint('runtime'));
  other.send(ready('other', 300_000));
  await expect.poll(() => relay.bridge.runtimes().length).toBe(4);
});

test('limits how many tabs a device lends', async () => {
  const relay = await startTestRelay({ limits: { runtimes: 3 } });
  const device = await relay.mint('runtime');
  const endpoints = [
    await openEndpoint(relay, '/ws/runtime', device),
    await openEndpoint(relay, '/ws/runtime', device),
  ];
  endpoints.forEach(({ send }, endpoint) => {
    for (let tab = 0; tab < 3; tab += 1) send(ready(`tab_${endpoint}_${tab}`));
  });
  await expect.poll(() => JSON.stringify(endpoints.map(({ items }) => items))).toContain('limit runtimes');
  expect(relay.bridge.runtimes()).toHaveLength(3);
});

test('the memory for a runtime does not grow with its statuses, nor after it has gone', async () => {
  const relay = await startTestRelay();
  const endpoint = await openEndpoint(relay, '/ws/runtime', await relay.mint('runtime'));
  endpoint.send({ ...ready('tab'), extra: 'x'.repeat(100_000) });
  for (let at = 0; at < 10; at += 1) {
    endpoint.send({ type: 'runtime_status', runtime_id: 'tab', [`x${at}`]: 'x'.repeat(10_000) });
  }
  await expect.poll(() => endpoint.items.filter(({ type }) => type === 'action_error').length).toBe(7);
  const [tab] = relay.bridge.runtimes();
  expect(JSON.stringify(tab?.status).length).toBeLessThan(32_768);
});

test("limits a device's bridge connections", async () => {
  const relay = await startTestRelay({ limits: { bridge_sockets: 3 } });
  const device = await relay.mint('agent');
  const endpoints = await Promise.all([1, 2, 3, 4].map(() => openEndpoint(relay, '/ws/agent', device)));
  await expect
    .poll(() => endpoints.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length)
    .toBe(3);
});

test('refuses requests beyond the limit with its name and a retry time; others, halt and revoking still work', async () => {
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

test("a polling client's items have the rate of frames", async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({
    clock,
    limits: { bridge_frames_per_second: 100, bridge_burst: 200 },
  });
  const device = await relay.mint('agent');
  const items = Array.from({ length: 300 }, () => ({ type: 'agent_hello', features: ['agent_hello'] }));
  expect(await asked(relay, device, 'POST /bridge/agent/items', { items })).toMatchObject({ status: 200 });
  const second = asked(relay, device, 'POST /bridge/agent/items', { items: items.slice(0, 1) });
  let isAnswered = false;
  void second.then(() => {
    isAnswered = true;
  });
  await (await relay.connect('person')).settled();
  expect((await asked(relay, device, 'GET /api/tasks')).status).toBe(200);
  expect(isAnswered).toBe(false);
  clock.advance(2_000);
  expect(await second).toMatchObject({ status: 200 });
});

test.each(['agent', 'runtime'] as const)(
  '[BRG-72] an item of the role %s that does not parse is answered, and a flood of them 20 times a second',
  async (role) => {
    const clock = createFakeClock(1_700_000_000_000);
    const relay = await startTestRelay({ clock });
    const { items, send, socket } = await openEndpoint(relay, `/ws/${role}`, await relay.mint(role));
    send({ type: 'action_call', call_id: 'c1' });
    socket.send('[]');
    await expect.poll(() => items).toHaveLength(2);
    expect(items).toMatchObject([
      { type: 'action_error', call_id: 'c1', error: { code: 'invalid_input' } },
      { type: 'action_error', error: { code: 'invalid_input' } },
    ]);
    for (let at = 0; at < 100; at += 1) send({ type: 'action_call', call_id: `c${at}` });
    await expect
      .poll(
        async () => /over_limit_total\{name="refusals_per_second"\} (\d+)/.exec(await metricsOf(relay))?.[1],
      )
      .toBe('82');
    expect(items).toHaveLength(20);
    clock.advance(1_000);
    send({ type: 'action_call', call_id: 'later' });
    await expect.poll(() => items.at(-1)).toMatchObject({ call_id: 'later' });
  },
);

test('upgrades count as requests: a device that connects again and again is refused with when', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock, limits: { requests_per_second: 1, request_burst: 3 } });
  const device = await relay.mint('agent');
  for (let at = 0; at < 3; at += 1) (await openEndpoint(relay, '/ws/agent', device)).socket.terminate();
  const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/ws/agent`, 'drawbridge', {
    headers: { authorization: `Bearer ${device.token}` },
  });
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(429);
  expect(response.headers['retry-after']).toBe('1');
  const other = await openEndpoint(relay, '/ws/agent', await relay.mint('agent'));
  expect(other.socket.readyState).toBe(WebSocket.OPEN);
});

test.each([
  ['a device beyond its pace', 'GET /api/tasks', undefined],
  ['an address with wrong tokens', 'GET /api/tasks', 'dbr_'.padEnd(47, '0')],
])('refusals of %s are answered at once 20 times, and then a second later', async (_, route, wrong) => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock, limits: { requests_per_second: 0.001, request_burst: 1 } });
  const minted = await relay.mint('agent');
  const device = wrong === undefined ? minted : { ...minted, token: wrong };
  const before = wrong === undefined ? 1 : 10;
  for (let at = 0; at < before; at += 1) expect((await asked(relay, device, route)).status).not.toBe(429);
  for (let at = 0; at < 20; at += 1) expect((await asked(relay, device, route)).status).toBe(429);
  let answered = 0;
  const held = Array.from({ length: 5 }, async () => {
    const { status } = await asked(relay, device, route);
    answered += 1;
    return status;
  });
  await expect
    .poll(() => metricsOf(relay))
    .toContain('drawbridge_over_limit_total{name="refusals_per_second"} 5\n');
  expect(answered).toBe(0);
  const owner = await relay.mint('owner');
  expect((await asked(relay, owner, 'POST /api/halt')).status).toBe(200);
  clock.advance(1_000);
  expect(await Promise.all(held)).toEqual([429, 429, 429, 429, 429]);
});

test('a closing chat is not read faster than before', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({
    clock,
    limits: { browser_frames_per_second: 100, browser_burst: 200 },
  });
  const { token } = await relay.mint('person');
  const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/ws/chat`, 'drawbridge', {
    headers: { authorization: `Bearer ${token}` },
  });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  // No hello: the relay closes the socket, and the peer keeps sending.
  const frame = JSON.stringify({ type: 'send_message', content: 'x'.repeat(100_000) });
  const written = { bytes: 0 };
  for (let at = 0; at < 400; at += 1) {
    socket.send(frame, (error) => {
      if (!error) written.bytes += frame.length;
    });
  }
  await (await relay.connect('person')).settled();
  const text = await metricsOf(relay);
  const frames = Number(/drawbridge_frames_total\{direction="in"\} (\d+)/.exec(text)?.[1]);
  expect(frames).toBeLessThan(100);
});

test("limits a device's concurrent request bodies together, and others still send theirs", async () => {
  const relay = await startTestRelay({ limits: { bytes_in_flight: 1_000_000 } });
  const device = await relay.mint('agent');
  const slow = (token: string) => {
    const request = httpRequest(`${relay.url}/api/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-length': 600_000 },
    });
    request.on('error', () => {});
    onTestFinished(() => void request.destroy());
    request.write('{');
    return request;
  };
  slow(device.token);
  await expect
    .poll(() => metricsOf(relay))
    .toContain('drawbridge_limit_used{name="bytes_in_flight"} 600000\n');
  const [refused] = await once(slow(device.token), 'response');
  expect(refused.statusCode).toBe(429);
  const body = JSON.parse(Buffer.concat(await refused.toArray()).toString());
  expect(body.error).toMatchObject({ limit: 'bytes_in_flight', retry_after: 1 });
  const other = await relay.mint('agent');
  expect((await asked(relay, other, 'POST /api/tasks', { note: 'x'.repeat(500_000) })).status).toBe(400);
});

test("limits an agent's open tabs, and another agent still opens its own", async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock, limits: { open_tabs: 2 } });
  const owner = await relay.mint('runtime');
  const browser = await openEndpoint(relay, '/ws/runtime', owner);
  browser.send({ ...ready('tab'), capabilities: ['browser.open_tab'] });
  await expect.poll(() => relay.bridge.runtimes().length).toBe(1);
  const opened = async (endpoint: Awaited<ReturnType<typeof openEndpoint>>, id: string) => {
    const answers = () => endpoint.items.filter(({ call_id }) => call_id === id);
    const came = () => browser.items.some(({ call_id }) => call_id === id);
    const call = { type: 'action_call', call_id: id, name: 'browser.open_tab', runtime_id: 'tab' };
    endpoint.send({ ...call, arguments: {} });
    await expect.poll(() => answers().length > 0 || came()).toBe(true);
    if (answers().length > 0) return answers()[0];
    const tab = await openEndpoint(relay, '/ws/runtime', owner);
    const before = relay.bridge.runtimes().length;
    tab.send({ ...ready(`tab_${id}`), runtime_key: `key_${id}` });
    await expect.poll(() => relay.bridge.runtimes().length).toBe(before + 1);
    const output = {
      opened: true,
      tab: { tab_id: id, runtime_key: `key_${id}`, url: '', title: '', active: true },
    };
    browser.send({ type: 'action_call_output', runtime_id: 'tab', call_id: id, output });
    await expect.poll(() => answers().length).toBe(1);
    return answers()[0];
  };
  const agent = await openEndpoint(relay, '/ws/agent', await relay.mint('agent'));
  for (const id of ['one', 'two'])
    expect(await opened(agent, id)).toMatchObject({ output: { opened: true } });
  expect(await opened(agent, 'three')).toMatchObject({
    error: { code: 'permission_denied', evidence: { limit: 'open_tabs', retry_after: 10 } },
  });
  const other = await openEndpoint(relay, '/ws/agent', await relay.mint('agent'));
  expect(await opened(other, 'four')).toMatchObject({ output: { opened: true } });
});

test('a closed tab frees its place a minute later; a failed call at once', () => {
  const clock = createFakeClock(1_700_000_000_000);
  const there = new Set(['kept', 'closed']);
  const metrics = createMetrics();
  onTestFinished(metrics.close);
  const quota = createCallQuota({
    ...{ clock: coreClock(clock), metrics, limits: { ...RELAY_LIMITS, open_tabs: 2 } },
    openTabs: () => there,
  });
  const open = (call_id: string) => quota.problem('agent', { name: 'browser.open_tab', call_id })?.message;
  for (const key of there) {
    expect(open(key)).toBeUndefined();
    quota.answered('agent', key, { opened: true, tab: { runtime_key: key } });
  }
  expect(open('three')).toContain('open_tabs');
  there.delete('closed');
  expect(open('three')).toContain('open_tabs');
  clock.advance(61_000);
  expect(open('three')).toBeUndefined();
  expect(open('four')).toContain('open_tabs');
  quota.answered('agent', 'three');
  expect(open('four')).toBeUndefined();
});
