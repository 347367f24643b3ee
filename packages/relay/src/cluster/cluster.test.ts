import { once } from 'node:events';
import type { Brain } from '@drawbridge/brain';
import { connectPolling, connectWebSocket, type ItemLink } from '@drawbridge/link';
import type { BridgeItem } from '@drawbridge/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { useCluster } from '../../test/cluster/use-cluster.ts';
import { answerOf, interruptOf, launchOf, sendOf } from '../../test/contract/frames.ts';
import { startProxy } from '../../test/contract/scripted-proxy.ts';
import { newSigner } from '../../test/devices/paired-browser.ts';
import { upgradeStatus } from '../../test/server/test-relay.ts';
import { call, click, lendRemoteTab, scriptedBrain } from '../../test/tasks/relay-tasks.ts';
import { createProxySignature } from './proxy-signature.ts';

let brain: Brain | undefined;
const cluster = useCluster(3, { brain: () => brain });
const { node, at, device } = cluster;

const bearer = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` });

/** The first item of that type, already received or not. */
function received(link: ItemLink): (type: string) => Promise<BridgeItem> {
  const items: BridgeItem[] = [];
  link.onItem((item) => items.push(item));
  onTestFinished(link.close);
  return (type) => vi.waitUntil(() => items.find((item) => item.type === type), { timeout: 30_000 });
}

test('one node is the leader, all are ready, and their metrics report it', async () => {
  expect([0, 1, 2].map((number) => node(number).isLeader())).toEqual([true, false, false]);
  for (const number of [0, 1, 2]) {
    const { url, node_id } = node(number);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain(`drawbridge_node_info{node_id="${node_id}"} 1\n`);
    expect(metrics).toContain(`drawbridge_is_leader ${number === 0 ? 1 : 0}\n`);
    expect(metrics).toContain(`drawbridge_keeps_house ${number === 0 ? 1 : 0}\n`);
    expect(metrics).toMatch(/drawbridge_bus_up 1\n/);
  }
});

test('chat, approvals, controls and launches: people on two nodes, a proxy on the third', async () => {
  const [one, two] = [await at(1).connect('person'), await at(2).connect('person')];
  const proxy = await startProxy(at(2), { sessions: [['chat', 'Chat']] });
  for (const person of [one, two]) await person.next('session_up', { session: { session_id: 'chat' } });

  one.send(sendOf('chat', 'c1', { content: 'hello' }));
  for (const person of [one, two]) {
    const accepted = await person.next('message_accepted', { client_message_id: 'c1' });
    const delivered = await person.next('message_delivered', { client_message_id: 'c1' });
    expect(delivered.sequence).toBeGreaterThan(accepted.sequence ?? 0);
    await person.next('message_event', { message: { content: 'You said: hello' } });
  }

  two.send(sendOf('chat', 'c2', { content: 'ask' }));
  for (const person of [one, two]) await person.next('permission_prompt', { prompt_id: 'may c2' });
  one.send(answerOf('chat', 'may c2', { request_id: 'r1' }));
  for (const person of [one, two])
    await person.next('message_event', { message: { content: 'You chose: yes' } });

  one.send(sendOf('chat', 'c3', { content: 'work' }));
  await two.next('session_status', { activity: { kind: 'generating' } });
  two.send(interruptOf('chat', 'i1'));
  await two.next('agent_control_result', { request_id: 'i1', result: 'ok' });

  one.send(launchOf('l1', { machine_label: proxy.machine_label }));
  await one.next('session_launch_ack', { request_id: 'l1' });

  const sequences = (peer: typeof one) =>
    peer.about('chat').flatMap((frame) => ('sequence' in frame ? [Number(frame.sequence)] : []));
  for (const person of [one, two]) {
    await person.settled();
    const seen = sequences(person);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBe(seen.length);
  }
});

test('a person who reconnects to another node resumes', async () => {
  const person = await device('person');
  const first = await at(1).connect(person);
  await startProxy(at(0), { sessions: [['moving', 'Moving']] });
  await first.next('session_up', { session: { session_id: 'moving' } });
  first.send(sendOf('moving', 'm1'));
  const { sequence = 0 } = await first.next('message_delivered', { client_message_id: 'm1' });
  await first.cut();
  const other = await at(0).connect('person');
  other.send(sendOf('moving', 'm2'));
  await other.next('message_delivered', { client_message_id: 'm2' });
  const resume = { sessions: [{ session_id: 'moving', last_sequence: sequence }] };
  const again = await at(2).connect(person, { resume });
  const { events } = await again.next('history_delta', { session_id: 'moving' });
  expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => sequence + 1 + index));
  expect(events.map(({ type }) => type)).toContain('message_delivered');
});

test('an agent on one node calls a tab on another, by socket, by polling and by MCP', async () => {
  const acts: string[] = [];
  lendRemoteTab(node(1).url, (await device('runtime')).token, 'tab_far', acts);
  const { token } = await device('agent');
  const socket = connectWebSocket({ url: `${node(2).url.replace('http', 'ws')}/ws/agent`, token });
  const polled = connectPolling({ url: `${node(1).url}/bridge/agent/items`, token });
  const agents = [socket, polled].map((agent) => ({ agent, itemOf: received(agent) }));
  for (const { agent, itemOf } of agents) {
    expect(await itemOf('runtime_ready')).toMatchObject({ runtime_id: 'tab_far' });
    agent.send({ type: 'action_call', call_id: 'c1', name: 'page.info', arguments: {} });
    expect(await itemOf('action_call_output')).toMatchObject({ output: { title: 'Shop' } });
  }
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const response = await fetch(`${node(2).url}/mcp`, {
    method: 'POST',
    body: JSON.stringify(initialize),
    headers: {
      ...bearer({ token }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('protocolVersion');
});

test('[BRG-172] a runtime at any node gets the names of all nodes', async () => {
  const all = [0, 1, 2].map((number) => new URL(node(number).url).host);
  const { token } = await device('runtime');
  const namesAt = async (number: number) => {
    const link = connectWebSocket({ url: `${node(number).url.replace('http', 'ws')}/ws/runtime`, token });
    const itemOf = received(link);
    const ready = { runtime_id: 'tab_named', url: 'https://shop.example/', features: ['agent_hello'] };
    link.send({ type: 'runtime_ready', ...ready });
    const hello = await itemOf('agent_hello');
    link.close();
    return 'relay_hosts' in hello ? hello.relay_hosts : [];
  };
  // The leader learns of the other nodes once they have started.
  for (const number of [0, 1]) await expect.poll(() => namesAt(number)).toEqual(expect.arrayContaining(all));
});

test('a task is sent to one node, done in a tab of another, and read on a third', async () => {
  brain = scriptedBrain(click, { thought: 'It is there.', action: 'finish()' });
  const tab = lendRemoteTab(node(1).url, (await device('runtime')).token, 'tab_task');
  const agent = await device('agent');
  const posted = await call(node(2), agent, 'POST /api/tasks', { prompt: 'Fill the cart' });
  expect(posted.status).toBe(202);
  await tab.begun(1);
  await vi.waitUntil(
    async () => {
      const { body } = await call(node(0), agent, `GET /api/tasks/${posted.body.task_id}`);
      return body.state === 'completed';
    },
    { timeout: 30_000, interval: 100 },
  );
});

test('a file that was uploaded to one node is readable on every other', async () => {
  const person = await device('person');
  const screen = await at(0).connect(person);
  await startProxy(at(1), { sessions: [['filed', 'Filed']] });
  await screen.next('session_up', { session: { session_id: 'filed' } });
  const body = 'x'.repeat(700_000);
  const path = '/api/files?name=a.txt&session_id=filed';
  const sent = await fetch(node(1).url + path, { method: 'POST', body, headers: bearer(person) });
  expect(sent.status).toBe(201);
  const { file_id } = await sent.json();
  for (const number of [0, 2]) {
    const read = await fetch(`${node(number).url}/api/files/${file_id}`, { headers: bearer(person) });
    expect((await read.text()) === body).toBe(true);
  }
});

test('a link that one node made lets in on another, once', async () => {
  const owner = await device('owner');
  const order = { roles: ['person'], label: 'Phone' };
  const { body } = await call(node(1), owner, 'POST /api/pair/invite', order);
  const secret = String(body.pair_path).split('#pair=')[1];
  const claim = (number: number) =>
    fetch(`${node(number).url}/api/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, as: 'token' }),
    });
  const answers = await Promise.all([claim(0), claim(1), claim(2)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
});

test('[CHT-93] a device that is revoked on one node is refused on all of them, and stays refused', async () => {
  const [owner, person] = [await device('owner'), await device('person')];
  const screens = [await at(0).connect(person), await at(1).connect(person), await at(2).connect(person)];
  expect((await call(node(1), person, 'GET /api/me')).status).toBe(200);
  const revoked = await fetch(`${node(2).url}/api/devices/${person.device_id}`, {
    method: 'DELETE',
    headers: bearer(owner),
  });
  expect(revoked.status).toBe(204);
  for (const screen of screens) expect((await screen.closed).code).toBe(4401);
  for (const number of [0, 1, 2]) {
    expect(await upgradeStatus(node(number).url, '/ws/chat', { headers: bearer(person) })).toBe(401);
  }
});

test('[CHT-93] refuses a device that was revoked while the bus was down', async () => {
  const person = await device('person');
  const screen = await at(1).connect(person);
  await cluster.nats().stop();
  const isDegraded = async () => (await node(1).health()).degraded.some(({ part }) => part === 'bus');
  await vi.waitUntil(isDegraded, { timeout: 30_000 });
  await node(2).devices.revoke(person.device_id, 'machine');
  expect((await screen.closed).code).toBe(4401);
  await cluster.nats().start();
  await vi.waitUntil(async () => !(await isDegraded()), { timeout: 30_000 });
});

test('a halt works from any node', async () => {
  const owner = await device('owner');
  const person = await at(2).connect('person');
  await startProxy(at(1), { sessions: [['halted', 'Halted']] });
  await person.next('session_up', { session: { session_id: 'halted' } });
  person.send(sendOf('halted', 'h1', { content: 'work' }));
  await person.next('session_status', { session_id: 'halted', activity: { kind: 'generating' } });
  expect((await call(node(1), owner, 'POST /api/halt')).status).toBe(200);
  await person.next('session_status', { session_id: 'halted', activity: { kind: 'idle' } });
});

test('a Pusher client connects to any node', async () => {
  const owner = await device('owner');
  const { body } = await call(node(1), owner, 'GET /api/pusher/config');
  const socket = new WebSocket(
    `${node(2).url.replace('http', 'ws')}/app/${body.key}?protocol=7&client=js&version=8`,
  );
  onTestFinished(() => socket.terminate());
  const [data] = await once(socket, 'message');
  expect(JSON.parse(String(data))).toMatchObject({ event: 'pusher:connection_established' });
});

test('accepts headers of nodes from nodes only', async () => {
  const person = await device('person');
  const forged = createProxySignature('guess').headers({ origin: 'ours', address: '127.0.0.1' });
  const cookie = `drawbridge=${person.token}`;
  for (const number of [0, 1]) {
    const headers = { cookie, origin: 'https://elsewhere.example', ...forged };
    expect((await fetch(`${node(number).url}/api/me`, { headers })).status).toBe(403);
  }
});

test('[CHT-84] [CHT-89] a browser paired on one node proves itself on every other, in requests and sockets', async () => {
  const owner = await device('owner');
  const invited = await call(node(1), owner, 'POST /api/pair/invite', { roles: ['person'] });
  const { key, proof } = newSigner();
  const paired = await fetch(`${node(2).url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: node(2).url },
    body: JSON.stringify({ secret: invited.body.secret, key }),
  });
  expect(paired.status).toBe(200);
  const name: string = (await paired.json()).browser_name;
  for (const number of [0, 1, 2]) {
    const { url } = node(number);
    const shown = { origin: url };
    const me = (more: object) => fetch(`${url}/api/me`, { headers: { ...shown, ...more } });
    expect((await me({ 'drawbridge-proof': proof('GET', '/api/me', { name }) })).status).toBe(200);
    expect((await me({})).status).toBe(401);
    const open = (...more: string[]) =>
      upgradeStatus(url, '/ws/chat', { headers: shown }, ['drawbridge', ...more]);
    expect(await open(`proof.${proof('GET', '/ws/chat', { name })}`)).toBe(101);
    expect(await open(`proof.${proof('GET', '/ws/chat')}`)).toBe(401);
  }
});

test('[CHT-96] wrong credentials on one node count on all of them', async () => {
  const statusAt = (number: number) =>
    upgradeStatus(node(number).url, '/ws/chat', {
      headers: { authorization: `Bearer dbr_${'x'.repeat(43)}` },
    });
  // Other tests have already failed from this address.
  for (let tries = 0; tries < 10; tries += 1) expect([401, 429]).toContain(await statusAt(1));
  await vi.waitUntil(async () => (await statusAt(2)) === 429, { timeout: 10_000 });
  expect((await call(node(2), { token: `dbr_${'x'.repeat(43)}` }, 'GET /api/me')).status).toBe(429);
});
