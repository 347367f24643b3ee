import { once } from 'node:events';
import { request } from 'node:http';
import type { BridgeItem } from '@drawbridge/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createArrivals, listenTo } from '../../test/received-log.ts';
import { connectPolling } from '../polling-client.ts';
import { connectWebSocket } from '../websocket-client.ts';
import { type ItemServer, type ItemServerOptions, serveItems } from './item-server.ts';

const item: BridgeItem = { type: 'runtime_status', runtime_id: 'r' };
const ORIGIN = 'chrome-extension://abcdefghijklmnop';

const servers: ItemServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(options: Partial<ItemServerOptions> = {}) {
  const arrivals = createArrivals();
  const server = await serveItems({
    authorize: (token, endpoint) => (token === `${endpoint}-token` ? `${endpoint}-device` : undefined),
    onConnection: arrivals.take,
    origins: new Set([ORIGIN]),
    ...options,
  });
  servers.push(server);
  return { arrivals, server, address: `127.0.0.1:${server.port}` };
}

type Headers = Readonly<Record<string, string>>;

/** The status of an upgrade or request with these headers, including Host. */
function statusOf(port: number, path: string, headers: Headers, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers,
      setHost: headers['host'] === undefined,
    });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const BEARER = { authorization: 'Bearer runtime-token' };

describe.each([
  ['WebSocket', '/ws/runtime', 'GET', UPGRADE, 101],
  ['polling', '/bridge/runtime/items', 'POST', {}, 200],
] as const)('%s', (_name, path, method, basics, ok) => {
  const ask = async (headers: Headers, at: string = path) => {
    const { server, address } = await serve();
    const status = await statusOf(server.port, at, { ...basics, ...headers }, method);
    return { status, address };
  };

  test('[BRG-115] accepts a credential of the right role', async () => {
    expect(await ask(BEARER)).toMatchObject({ status: ok });
    expect(await ask({ ...BEARER, origin: ORIGIN })).toMatchObject({ status: ok });
  });

  test.each<[string, Headers]>([
    ['none', {}],
    ['an unknown one', { authorization: 'Bearer nonsense' }],
    ['one of the other role', { authorization: 'Bearer agent-token' }],
    ['another scheme', { authorization: 'Basic runtime-token' }],
    ['a cookie', { cookie: 'token=runtime-token' }],
  ])('[BRG-115] with %s for a credential nobody comes in', async (_what, headers) => {
    expect(await ask(headers)).toMatchObject({ status: 401 });
  });

  test('[BRG-115] refuses everyone for now when a credential cannot be checked', async () => {
    const { server } = await serve({ authorize: () => Promise.reject(new Error('The ledger is locked.')) });
    expect(await statusOf(server.port, path, { ...basics, ...BEARER }, method)).toBe(503);
  });

  test('[BRG-115] answers a wrong path like a wrong credential, and ignores a token in it', async () => {
    expect(await ask(BEARER, `${path}/more`)).toMatchObject({ status: 401 });
    expect(await ask({}, `${path}?token=runtime-token`)).toMatchObject({ status: 401 });
  });

  test.each<[string, Headers]>([
    ['Host', { host: 'evil.example' }],
    ['Host without port', { host: '127.0.0.1' }],
    ['Origin', { origin: 'https://evil.example' }],
    ['Origin that begins alike', { origin: `${ORIGIN}.evil.example` }],
    ['Origin null', { origin: 'null' }],
  ])('a wrong %s is refused, whatever the credential', async (_what, headers) => {
    expect(await ask({ ...BEARER, ...headers })).toMatchObject({ status: 403 });
  });
});

test.each(['0.0.0.0', '::', '192.168.1.1', 'localhost', 'example.com', ''])(
  'it does not listen on %j',
  async (host) => {
    await expect(serve({ host })).rejects.toThrow('Refusing to listen');
  },
);

test('listens on the other loopback address', async () => {
  const { server } = await serve({ host: '::1' });
  const answer = await fetch(`http://[::1]:${server.port}/bridge/agent/items`, {
    method: 'POST',
    headers: { authorization: 'Bearer agent-token' },
  });
  expect(await answer.json()).toMatchObject({ received: 0 });
});

test.each([
  ['drawbridge', 'bearer.runtime-token'],
  ['bearer.runtime-token', 'drawbridge'],
])('[BRG-106] an unmodified client that offers %s, %s speaks in plain items', async (...protocols) => {
  const { arrivals, address } = await serve();
  const socket = new WebSocket(`ws://${address}/ws/runtime`, protocols);
  await once(socket, 'open');
  expect(socket.protocol).toBe('drawbridge');
  const { link, received } = await arrivals.at(0);
  link.send(item);
  const [text] = await once(socket, 'message');
  expect(String(text)).toBe(JSON.stringify(item));
  socket.send(JSON.stringify(item));
  await received.count(1);
  expect(received.items).toEqual([item]);
  socket.terminate();
  await expect(received.state('closed')).resolves.toMatchObject({
    reason: 'failed',
    error: { code: 'transport_failed' },
  });
});

test('refuses garbage on a socket and continues', async () => {
  const { arrivals, address } = await serve();
  const socket = new WebSocket(`ws://${address}/ws/runtime`, { headers: BEARER });
  await once(socket, 'open');
  const garbage = [
    '',
    'x',
    '[]',
    '{"type":"x"}',
    'drawbridge:{"kind":"bye"}',
    Buffer.from([0, 255]),
    '['.repeat(9_999),
  ];
  for (const frame of [...garbage, JSON.stringify(item)]) socket.send(frame);
  const { received } = await arrivals.at(0);
  await received.count(1);
  expect(received.problems).toMatchObject(
    garbage.map(() => ({ kind: 'refused', error: { code: 'invalid_input' } })),
  );
  socket.terminate();
});

test("[BRG-91] reports a plain server's lack of resume after a drop, with the sent items", async () => {
  const { WebSocketServer } = await import('ws');
  const foreign = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'drawbridge' });
  await once(foreign, 'listening');
  const address = foreign.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const link = connectWebSocket({ url: `ws://127.0.0.1:${address.port}/`, backoff: { minMs: 2 } });
  const received = listenTo(link);
  link.send(item);
  const [socket] = await once(foreign, 'connection');
  const [text] = await once(socket, 'message');
  expect(String(text)).toBe(JSON.stringify(item));
  socket.terminate();
  const lost = await received.problem('lost');
  expect(lost).toMatchObject({ items: [item], error: { evidence: { reason: 'resume_unsupported' } } });
  const opened = () => received.states.filter(({ kind }) => kind === 'open');
  await received.state('connecting', ({ attempt }) => attempt === 1 && opened().length === 2);
  expect(opened()).toEqual([
    { kind: 'open', resumed: false },
    { kind: 'open', resumed: false },
  ]);
  await received.state('waiting');
  link.close();
  for (const client of foreign.clients) client.terminate();
  foreign.close();
});

test('closes a peer that answers no ping', async () => {
  const { arrivals, address } = await serve({ heartbeatMs: 20 });
  const socket = new WebSocket(`ws://${address}/ws/runtime`, { headers: BEARER, autoPong: false });
  const { received } = await arrivals.at(0);
  await expect(received.state('closed')).resolves.toMatchObject({ reason: 'failed' });
  socket.terminate();
});

test('[BRG-115] stops a polling client with a wrong token', async () => {
  const { address } = await serve();
  const link = connectPolling({ url: `http://${address}/bridge/runtime/items`, token: 'wrong' });
  await expect(listenTo(link).state('closed')).resolves.toMatchObject({
    reason: 'refused',
    error: { code: 'transport_failed', evidence: { status: 401 } },
  });
});

test('[BRG-115] never opens a WebSocket client with a wrong token', async () => {
  const { address } = await serve();
  const link = connectWebSocket({
    url: `ws://${address}/ws/agent`,
    token: 'runtime-token',
    backoff: { minMs: 2 },
  });
  const received = listenTo(link);
  await received.state('connecting', ({ attempt }) => attempt === 3);
  link.close();
  expect(received.states.some(({ kind }) => kind === 'open')).toBe(false);
});

test('closes once when closed twice', async () => {
  const { server } = await serve();
  expect(server.close()).toBe(server.close());
  await server.close();
});

test("delivers a dead process's items to the next one that knows its connection", async () => {
  const { arrivals, address } = await serve();
  const options = { url: `ws://${address}/ws/runtime`, token: 'runtime-token' };
  const sockets: WebSocket[] = [];
  const first = connectWebSocket({
    ...options,
    open: (url, protocols) => {
      const socket = new WebSocket(url, protocols);
      sockets.push(socket);
      return socket as never;
    },
  });
  const heardFirst = listenTo(first);
  const { connection_id = '' } = await heardFirst.state('open');
  const server = await arrivals.at(0);
  const heardByServer = listenTo(server.link);
  first.send(item);
  await heardByServer.count(1);
  server.link.send(item);
  await heardFirst.count(1);
  // Like a stopped worker: without a close frame, and for good.
  for (const socket of sockets) socket.terminate();
  await heardByServer.state('waiting');
  server.link.send({ ...item, runtime_id: 'said meanwhile' });
  const second = connectWebSocket({ ...options, resume: { connection_id, received: 1 } });
  const heardSecond = listenTo(second);
  second.send({ ...item, runtime_id: 'said early' });
  expect(await heardSecond.state('open')).toMatchObject({ resumed: true, connection_id });
  await Promise.all([heardSecond.count(1), heardByServer.count(2)]);
  expect(heardSecond.items).toMatchObject([{ runtime_id: 'said meanwhile' }]);
  expect(heardByServer.items[1]).toMatchObject({ runtime_id: 'said early' });
  first.close();
  second.close();
});

test('starts over with an unknown connection', async () => {
  const { arrivals, address } = await serve();
  const resume = { connection_id: 'of another day', received: 7 };
  const link = connectWebSocket({ url: `ws://${address}/ws/runtime`, token: 'runtime-token', resume });
  const received = listenTo(link);
  link.send(item);
  expect(await received.state('open')).toMatchObject({ resumed: false });
  const server = await arrivals.at(0);
  server.link.send(item);
  await received.count(1);
  expect(received.items).toEqual([item]);
  link.close();
});
