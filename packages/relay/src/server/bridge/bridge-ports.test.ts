import { connectPolling, connectWebSocket, type ItemLink, systemClock } from '@drawbridge/link';
import type { BridgeItem } from '@drawbridge/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay, type TestRelay, upgradeStatus } from '../../../test/server/test-relay.ts';
import type { Identity, Role } from '../../core/ports.ts';
import { createMetrics } from '../metrics.ts';
import { RELAY_LIMITS } from '../options.ts';
import { createInFlight } from '../quotas/in-flight.ts';
import { createBridgePorts } from './bridge-ports.ts';

const READY: BridgeItem = {
  type: 'runtime_ready',
  runtime_id: 'tab_1',
  url: 'https://shop.example/',
  title: 'Shop',
};

function received(link: ItemLink): { next: (type: string) => Promise<BridgeItem> } {
  const items: BridgeItem[] = [];
  let look = () => {};
  link.onItem((item) => {
    items.push(item);
    look();
  });
  onTestFinished(link.close);
  return {
    next: (type) =>
      new Promise((resolve) => {
        look = () => {
          const at = items.findIndex((item) => item.type === type);
          const [found] = at === -1 ? [] : items.splice(at, 1);
          if (found !== undefined) resolve(found);
        };
        look();
      }),
  };
}

async function lendTab(relay: TestRelay): Promise<ItemLink> {
  const { token } = await relay.mint('runtime');
  const runtime = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/runtime`, token });
  onTestFinished(runtime.close);
  runtime.onItem((item) => {
    if (item.type !== 'action_call') return;
    runtime.send({
      type: 'action_call_output',
      runtime_id: 'tab_1',
      call_id: item.call_id,
      output: { called: item.name },
    });
  });
  runtime.onState(({ kind }) => {
    if (kind === 'open') runtime.send(READY);
  });
  return runtime;
}

const CALL: BridgeItem = { type: 'action_call', call_id: 'c1', name: 'page.snapshot', arguments: {} };

test('an agent calls a runtime through the relay, by WebSocket and by polling', async () => {
  const relay = await startTestRelay();
  await lendTab(relay);
  const { token } = await relay.mint('agent');
  const socket = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  const polled = connectPolling({ url: `${relay.url}/bridge/agent/items`, token });
  const agents = [socket, polled].map((agent) => ({ agent, ...received(agent) }));
  for (const { agent, next } of agents) {
    expect(await next('runtime_ready')).toMatchObject({ runtime_id: 'tab_1' });
    agent.send(CALL);
    expect(await next('action_call_output')).toMatchObject({ output: { called: 'page.snapshot' } });
  }
});

test('logs connects and disconnects by device and without its token', async () => {
  const relay = await startTestRelay();
  const runtime = await lendTab(relay);
  const { token, device_id } = await relay.mint('agent');
  const agent = connectPolling({ url: `${relay.url}/bridge/agent/items`, token });
  await received(agent).next('runtime_ready');
  const logged = (event: string) =>
    relay.lines.map((line) => JSON.parse(line)).filter((line) => line.event === event);
  const opened = logged('bridge_opened').toSorted((one, other) => one.endpoint.localeCompare(other.endpoint));
  expect(opened).toMatchObject([{ endpoint: 'agent', device_id }, { endpoint: 'runtime' }]);
  runtime.close();
  await expect.poll(() => logged('bridge_closed')).toMatchObject([{ endpoint: 'runtime' }]);
  expect(relay.lines.join('\n')).not.toContain(token);
});

test('each port accepts only its roles', async () => {
  const relay = await startTestRelay();
  const endpoints: Record<string, readonly Role[]> = {
    '/ws/runtime': ['runtime'],
    '/ws/agent': ['agent', 'person', 'owner'],
  };
  for (const role of ['owner', 'person', 'proxy', 'runtime', 'agent'] as const) {
    const { token } = await relay.mint(role);
    const headers = { authorization: `Bearer ${token}` };
    for (const [path, roles] of Object.entries(endpoints)) {
      expect(await upgradeStatus(relay.url, path, { headers }), `${role} ${path}`).toBe(
        roles.includes(role) ? 101 : 403,
      );
    }
    const mcp = await fetch(`${relay.url}/mcp`, { method: 'POST', headers, body: '{}' });
    expect(mcp.status === 403, `${role} /mcp`).toBe(!(endpoints['/ws/agent'] ?? []).includes(role));
  }
});

test('a guest of a session may not act in browsers', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('person', ['session:one']);
  const headers = { authorization: `Bearer ${token}` };
  expect(await upgradeStatus(relay.url, '/ws/agent', { headers })).toBe(403);
  expect((await fetch(`${relay.url}/mcp`, { method: 'POST', headers, body: '{}' })).status).toBe(403);
});

test('MCP clients find the tabs at /mcp', async () => {
  const relay = await startTestRelay();
  await lendTab(relay);
  const { token } = await relay.mint('agent');
  const agent = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  await received(agent).next('runtime_ready');
  const response = await fetch(`${relay.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'tabs', arguments: { do: 'list' } },
    }),
  });
  expect(await response.text()).toContain('shop.example');
});

test('[CHT-93] a revoked device has no bridge connection left', async () => {
  const relay = await startTestRelay();
  const { token, device_id } = await relay.mint('agent');
  const agent = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  onTestFinished(agent.close);
  const opened = new Promise<void>((resolve) => agent.onState(({ kind }) => kind === 'open' && resolve()));
  const closed = new Promise<void>((resolve) => agent.onState(({ kind }) => kind === 'closed' && resolve()));
  await opened;
  await relay.devices.revoke(device_id, 'machine');
  await closed;
});

test('a call that is cancelled while it is not ready never begins', async () => {
  const metrics = createMetrics();
  const files = Promise.withResolvers<undefined>();
  const ended: (string | undefined)[] = [];
  const ports = createBridgePorts({
    ...{ clock: systemClock, limits: RELAY_LIMITS, metrics, inFlight: createInFlight(RELAY_LIMITS, metrics) },
    calls: {
      problem: () => undefined,
      ready: () => files.promise,
      answered: (_device, _call, _output, error) => ended.push(error?.message),
    },
    threads: {
      maySee: () => true,
      originsOf: () => undefined,
      meet() {},
      joined() {},
      left() {},
      messagesFor: () => [],
    },
    ...{ log() {}, onError() {}, relayHosts: () => [] },
    askerOf: () => ({ ask: () => Promise.reject(new Error('Nobody asks.')) }),
  });
  onTestFinished(() => {
    ports.close();
    metrics.close();
  });
  const begun: BridgeItem[] = [];
  const tab = ports.bridge.connectRuntime({ send: (item) => begun.push(item), owner: 'browser' });
  tab.receive(READY);
  const identity: Identity = { device_id: 'agent', roles: ['agent'], label: 'Agent', scopes: [] };
  const agent = connectPolling({
    url: 'http://relay.example/bridge/agent/items',
    fetch: (url, init) => ports.poll(new Request(url, init), identity, 'agent'),
  });
  const { next } = received(agent);
  await next('runtime_ready');
  agent.send(CALL);
  agent.send({ type: 'action_cancel', call_id: 'c1' });
  // The answer to a later item: the cancellation has arrived.
  agent.send({ type: 'agent_hello', features: ['agent_hello'] });
  await next('agent_hello');
  files.resolve(undefined);
  expect(await next('action_error')).toMatchObject({
    call_id: 'c1',
    error: { evidence: { cancelled: true } },
  });
  expect(begun.filter(({ type }) => type === 'action_call')).toEqual([]);
  expect(ended).toEqual(['The call was cancelled before it began.']);
});
