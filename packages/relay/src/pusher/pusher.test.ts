import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { session, tabSession } from '@drawbridge/ledger/test/samples';
import { createFakeClock, listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  addSession,
  appOf,
  askAuth,
  CHANNEL,
  connectClient,
  connectRaw,
  joined,
  nextEvent,
  publisherOf,
  SESSION,
} from '../../test/pusher/pusher-harness.ts';
import { startTestRelay, upgradeStatus } from '../../test/server/test-relay.ts';
import { channelAuth } from './signature.ts';

const MESSAGE = { type: 'new_message', sessionId: SESSION, message: { messageId: 'm', role: 'assistant' } };

test("[INT-176] [INT-195] an unmodified client connects, is authorized and receives its session's events", async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const { key } = await appOf(relay);
  const client = connectClient(relay, key, await relay.mint('person'));
  const channel = await joined(client, CHANNEL);
  expect(client.connection.socket_id).toMatch(/^\d+\.\d+$/);
  const [message, round] = [nextEvent(channel, 'new_message'), nextEvent(channel, 'interact_response')];
  relay.pusher.trigger(SESSION, 'new_message', MESSAGE);
  relay.pusher.trigger('another', 'interact_response', { type: 'wrong' });
  relay.pusher.trigger(SESSION, 'interact_response', { type: 'interact_response', sessionId: SESSION });
  expect(await message).toEqual(MESSAGE);
  expect(await round).toEqual({ type: 'interact_response', sessionId: SESSION });
});

test('[INT-198] [INT-199] the unmodified server library publishes, one by one and in batches', async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const app = await appOf(relay);
  const device = await relay.mint('person');
  const [one, two] = [connectClient(relay, app.key, device), connectClient(relay, app.key, device)];
  const [first, second] = [await joined(one, CHANNEL), await joined(two, CHANNEL)];
  const news = await joined(two, 'news');
  const seen: unknown[] = [];
  first.bind_global((event: string, data: unknown) => seen.push([event, data]));

  const publisher = publisherOf(app, relay.port);
  const excluded = nextEvent(second, 'to-others');
  await publisher.trigger(CHANNEL, 'to-others', { n: 1 }, { socket_id: one.connection.socket_id });
  expect(await excluded).toEqual({ n: 1 });
  const both = [nextEvent(second, 'to-all'), nextEvent(news, 'to-all'), nextEvent(first, 'to-all')];
  const answer = await publisher.trigger([CHANNEL, 'news'], 'to-all', { n: 2 });
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
  expect(await Promise.all(both)).toEqual([{ n: 2 }, { n: 2 }, { n: 2 }]);
  const batch = [nextEvent(first, 'b1'), nextEvent(news, 'b2')];
  await publisher.triggerBatch([
    { channel: CHANNEL, name: 'b1', data: { n: 3 } },
    { channel: 'news', name: 'b2', data: 'plain' },
  ]);
  expect(await Promise.all(batch)).toEqual([{ n: 3 }, 'plain']);
  expect(seen).toEqual([
    ['to-all', { n: 2 }],
    ['b1', { n: 3 }],
  ]);
});

test("[INT-197] authorized clients decrypt a program's encrypted events, which the relay cannot read", async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const app = await appOf(relay);
  const channel = await joined(
    connectClient(relay, app.key, await relay.mint('person')),
    `private-encrypted-session-${SESSION}`,
  );
  const opened = nextEvent(channel, 'secret');
  await publisherOf(app, relay.port).trigger(channel.name, 'secret', { code: 482913 });
  expect(await opened).toEqual({ code: 482913 });
  const proxy = await relay.mint('agent');
  const asked = await askAuth(relay, proxy, { socket_id: '1.1', channel_name: channel.name });
  expect(asked.status).toBe(403);
});

test('[INT-197] without a master key no encrypted channel can be joined', async () => {
  const app = { app_id: '1', key: 'k', secret: 's', api_url: 'http://127.0.0.1:9', host: 'elsewhere' };
  const relay = await startTestRelay({ pusher: app });
  await addSession(relay);
  const form = { socket_id: '1.1', channel_name: `private-encrypted-session-${SESSION}` };
  const person = await relay.mint('person');
  expect((await askAuth(relay, person, form)).status).toBe(403);
  expect((await askAuth(relay, person, { ...form, channel_name: CHANNEL })).status).toBe(200);
});

test('[INT-206] a repeated idempotency_key delivers nothing', async () => {
  const relay = await startTestRelay();
  const app = await appOf(relay);
  const channel = await joined(connectClient(relay, app.key), 'news');
  const seen: unknown[] = [];
  channel.bind('once', (data: unknown) => seen.push(data));
  const publisher = publisherOf(app, relay.port);
  const params: { socket_id?: string; idempotency_key: string } = { idempotency_key: 'k1' };
  for (const n of [1, 2]) expect((await publisher.trigger('news', 'once', { n }, params)).status).toBe(200);
  const last = nextEvent(channel, 'last');
  await publisher.trigger('news', 'last', {});
  await last;
  expect(seen).toEqual([{ n: 1 }]);
});

test('[INT-183] after unsubscribe no event of that channel arrives', async () => {
  const relay = await startTestRelay();
  const app = await appOf(relay);
  const client = connectClient(relay, app.key);
  const [left, kept] = [await joined(client, 'left'), await joined(client, 'kept')];
  const seen: unknown[] = [];
  client.bind_global((event: string) => seen.push(event));
  left.unsubscribe();
  await joined(client, 'after-it');
  const last = nextEvent(kept, 'last');
  await publisherOf(app, relay.port).trigger(['left', 'kept'], 'last', {});
  await last;
  const again = nextEvent(kept, 'again');
  await publisherOf(app, relay.port).trigger(['left', 'kept'], 'again', {});
  await again;
  expect(seen.filter((event) => event === 'last' || event === 'again')).toEqual(['last', 'again']);
});

test('[INT-196] only devices that may see a session receive its events', async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const { key } = await appOf(relay);
  const { socket_id } = await connectRaw(relay, key);
  const form = { socket_id, channel_name: CHANNEL };
  const extension = await relay.mint('runtime');
  const tab = tabSession('tab', { device_id: extension.device_id });
  await relay.ledger.commit([session('tab'), tab]);

  expect((await askAuth(relay, undefined, form)).status).toBe(401);
  const wrong = { device_id: '', role: 'person', token: 'wrong' } as const;
  expect((await askAuth(relay, wrong, form)).status).toBe(401);
  const guest = await relay.mint('person', ['session:other']);
  const person = await relay.mint('person');
  for (const device of [guest, extension, await relay.mint('agent'), await relay.mint('proxy')]) {
    expect((await askAuth(relay, device, form)).status, device.role).toBe(403);
  }
  for (const channel_name of [
    'private-session-none',
    'private-session-',
    'private-other',
    'news',
    'presence-x',
  ]) {
    expect((await askAuth(relay, person, { socket_id, channel_name })).status, channel_name).toBe(403);
  }
  await addSession(relay, `${SESSION}:{}`);
  expect((await askAuth(relay, person, { socket_id, channel_name: `${CHANNEL}:{}` })).status).toBe(403);
  const invited = await relay.mint('person', [`session:${SESSION}`]);
  for (const device of [person, invited, await relay.mint('owner')]) {
    expect((await askAuth(relay, device, form)).status, device.role).toBe(200);
  }
  const own = { socket_id, channel_name: 'private-session-tab' };
  expect((await askAuth(relay, extension, own)).status).toBe(200);
  expect((await askAuth(relay, await relay.mint('runtime'), own)).status).toBe(403);
  for (const bad of [{ channel_name: CHANNEL }, { socket_id }, { socket_id: '1', channel_name: CHANNEL }]) {
    expect((await askAuth(relay, person, { ...bad })).status).toBe(400);
  }
});

test('[INT-71] an extension connects with the key and is authorized with its token, whatever its Origin', async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const { key } = await appOf(relay);
  const origin = 'chrome-extension://anybody';
  const headers = { origin };
  expect(await upgradeStatus(relay.url, `/app/${key}?protocol=7`, { headers })).toBe(101);
  expect(await upgradeStatus(relay.url, '/app/guess?protocol=7', { headers })).toBe(403);
  const { socket_id } = await connectRaw(relay, key);
  const { token } = await relay.mint('person');
  const ask = (method: string, more: Record<string, string>) =>
    fetch(`${relay.url}/api/pusher/auth`, {
      ...{ method, headers: { ...headers, ...more } },
      ...(method === 'POST' && { body: new URLSearchParams({ socket_id, channel_name: CHANNEL }) }),
    });
  const [asked, answered] = [
    await ask('OPTIONS', {}),
    await ask('POST', { authorization: `Bearer ${token}` }),
  ];
  expect([asked.status, answered.status]).toEqual([204, 200]);
  for (const response of [asked, answered]) {
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  }
  expect((await ask('POST', { cookie: `drawbridge=${token}` })).status).toBe(401);
});

test('[INT-182] an unmodified client gets an error for a session it may not see', async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const { key } = await appOf(relay);
  const client = connectClient(relay, key, await relay.mint('person', ['session:other']));
  const refused = nextEvent(client.subscribe(CHANNEL), 'pusher:subscription_error');
  expect(await refused).toMatchObject({ type: 'AuthError', status: 403 });
  expect(client.connection.state).toBe('connected');
});

test('[CHT-93] a revoked device loses its connections, and a signature it kept is invalid', async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const { key } = await appOf(relay);
  const device = await relay.mint('person');
  const [listening, waiting, other] = [
    await connectRaw(relay, key),
    await connectRaw(relay, key),
    await connectRaw(relay, key),
  ];
  for (const { socket_id, ...client } of [listening, waiting]) {
    const { auth } = await (await askAuth(relay, device, { socket_id, channel_name: CHANNEL })).json();
    if (client.socket !== listening.socket) continue;
    client.send({ event: 'pusher:subscribe', data: { channel: CHANNEL, auth } });
    expect(await client.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded' });
  }
  await relay.devices.revoke(device.device_id, 'machine');
  expect(await listening.closed).toBe(4009);
  expect(await waiting.closed).toBe(4009);
  other.send({ event: 'pusher:ping' });
  expect(await other.next()).toMatchObject({ event: 'pusher:pong' });
});

test('signs only for an open connection, and for a limited number per device', async () => {
  const relay = await startTestRelay({ limits: { person_sockets: 1, strangers: 2 } });
  await addSession(relay);
  const { key } = await appOf(relay);
  const device = await relay.mint('person');
  const ask = (socket_id: string) => askAuth(relay, device, { socket_id, channel_name: CHANNEL });
  expect((await ask('1.2')).status).toBe(403);
  const one = await connectRaw(relay, key);
  expect((await ask(one.socket_id)).status).toBe(200);
  expect((await ask(one.socket_id)).status).toBe(200);
  const two = await connectRaw(relay, key);
  expect((await ask(two.socket_id)).status).toBe(429);
});

test('anonymous sockets shut nobody out: the oldest of the address that has most makes room', async () => {
  const relay = await startTestRelay({ trustedProxy: true, limits: { strangers: 4 } });
  await addSession(relay);
  const { key } = await appOf(relay);
  const device = await relay.mint('person');
  const from = (address: string) => connectRaw(relay, key, { 'x-forwarded-for': address });
  const known = await from('10.0.0.1');
  const allowed = await askAuth(relay, device, { socket_id: known.socket_id, channel_name: CHANNEL });
  expect(allowed.status).toBe(200);
  const honest = await from('10.0.0.2');
  const flood = [];
  for (let at = 0; at < 20; at += 1) flood.push(await from('10.0.0.1'));
  const codes = await Promise.all(flood.slice(0, 17).map(({ closed }) => closed));
  expect(new Set(codes)).toEqual(new Set([4100]));
  for (const { socket } of [known, honest, ...flood.slice(17)])
    expect(socket.readyState).toBe(WebSocket.OPEN);
});

test('a client that joins no channel within 30 s is closed, and ended if it does not answer', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock });
  const { key } = await appOf(relay);
  const idle = await connectRaw(relay, key);
  const listening = await connectRaw(relay, key);
  listening.send({ event: 'pusher:subscribe', data: { channel: 'news' } });
  await listening.next();
  const headers = {
    ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const [, stubborn] = await once(request(`${relay.url}/app/guess`, { headers }).end(), 'upgrade');
  const ended = once(stubborn.resume(), 'close');
  clock.advance(30_000);
  expect(await idle.closed).toBe(4100);
  await ended;
  expect(listening.socket.readyState).toBe(WebSocket.OPEN);
});

test('the key is the same after a restart; only an owner sees the secret', async () => {
  const relay = await startTestRelay();
  const app = await appOf(relay);
  const again = await relay.restart();
  expect(await appOf(again)).toEqual({ ...app, host: expect.stringContaining('127.0.0.1:') });
  for (const role of ['person', 'runtime'] as const) {
    const headers = { authorization: `Bearer ${(await again.mint(role)).token}` };
    const shown = await (await fetch(`${again.url}/api/pusher/config`, { headers })).json();
    expect(shown).toEqual({ key: app.key, host: `127.0.0.1:${again.port}`, auth_path: '/api/pusher/auth' });
  }
  expect((await fetch(`${again.url}/api/pusher/config`)).status).toBe(401);
});

/** Holds connections while there is no relay: a refused client retries only after 15 s. */
async function startForwarder() {
  let relayPort = Promise.withResolvers<number>();
  const forwarder = createTcpServer(async (near) => {
    const far = connect(await relayPort.promise, '127.0.0.1');
    for (const end of [near, far]) end.on('error', () => {});
    near.pipe(far).pipe(near);
  });
  const port = await listenOnLoopback(forwarder);
  onTestFinished(() => void forwarder.close());
  return {
    port,
    open: (to: number) => relayPort.resolve(to),
    shut: () => {
      relayPort = Promise.withResolvers();
    },
  };
}

test('[INT-193] [INT-194] after a restart an unmodified client reconnects and receives later events', async () => {
  const forwarder = await startForwarder();
  const hosts = [`127.0.0.1:${forwarder.port}`];
  const relay = await startTestRelay({ hosts });
  forwarder.open(relay.port);
  await addSession(relay);
  const { key } = await appOf(relay);
  const raw = await connectRaw(relay, key);
  const outside = { ...relay, port: forwarder.port, url: `http://${hosts[0]}` };
  const client = connectClient(outside, key, await relay.mint('person'));
  const channel = await joined(client, CHANNEL);
  const before = client.connection.socket_id;
  const seen: unknown[] = [];
  channel.bind('new_message', (data: unknown) => seen.push(data));
  forwarder.shut();
  await relay.close();
  expect(await raw.closed).toBe(4200);
  const back = nextEvent(channel, 'pusher:subscription_succeeded');
  const next = await startTestRelay({ hosts, data: relay.data });
  next.pusher.trigger(SESSION, 'new_message', { missed: true });
  forwarder.open(next.port);
  await back;
  expect(client.connection.socket_id).not.toBe(before);
  const message = nextEvent(channel, 'new_message');
  next.pusher.trigger(SESSION, 'new_message', { n: 1 });
  expect(await message).toEqual({ n: 1 });
  expect(seen).toEqual([{ n: 1 }]);
});

test('[INT-175] with another server configured, the same events go to its HTTP API', async () => {
  const far = await startTestRelay();
  await addSession(far);
  const app = await appOf(far);
  const remote = { ...app, api_url: far.url, host: `127.0.0.1:${far.port}` };
  const near = await startTestRelay({ pusher: remote });
  await addSession(near);
  const device = await near.mint('person');
  const raw = await connectRaw(far, app.key);
  const form = { socket_id: raw.socket_id, channel_name: CHANNEL };
  const { auth } = await (await askAuth(near, device, form)).json();
  expect(auth).toBe(channelAuth(app, raw.socket_id, CHANNEL));
  raw.send({ event: 'pusher:subscribe', data: { channel: CHANNEL, auth } });
  await raw.next();
  for (const n of [1, 2, 3]) near.pusher.trigger(SESSION, 'new_message', { n });
  for (const n of [1, 2, 3]) {
    expect(await raw.next()).toEqual({ event: 'new_message', channel: CHANNEL, data: JSON.stringify({ n }) });
  }
  expect((await appOf(near)).key).toBe(app.key);
  await expect(connectRaw(near, app.key)).rejects.toThrow('401');
});

test('another server that refuses an event blocks nothing, and is reported as a fault', async () => {
  const server = createServer((_, response) => response.writeHead(401).end());
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const remote = { app_id: '1', key: 'k', secret: 's', api_url: `http://127.0.0.1:${port}`, host: 'x' };
  const faults = Promise.withResolvers<string>();
  const log = (line: string) => line.includes('"fault"') && faults.resolve(line);
  const relay = await startTestRelay({ pusher: remote, log });
  relay.pusher.trigger(SESSION, 'new_message', {});
  expect(await faults.promise).toContain('remote-app');
});

test('a stopping relay does not wait for another server that does not answer', async () => {
  const asked = Promise.withResolvers<void>();
  const server = createServer(() => asked.resolve());
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const gone = new Promise<void>((resolve) => {
    server.on('connection', (socket) => socket.on('close', () => resolve()));
  });
  const remote = { app_id: '1', key: 'k', secret: 's', api_url: `http://127.0.0.1:${port}`, host: 'x' };
  const relay = await startTestRelay({ pusher: remote });
  for (const n of [1, 2]) relay.pusher.trigger(SESSION, 'new_message', { n });
  await asked.promise;
  await relay.close();
  await gone;
  expect(relay.lines.filter((line) => line.includes('"fault"'))).toEqual([]);
});
