import { once } from 'node:events';
import { createServer } from 'node:http';
import { systemClock } from '@drawbridge/link';
import { createFakeClock, listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { coreClock } from '../../../test/server/test-relay.ts';
import type { CoreClock, Identity, PeerPort } from '../../core/ports.ts';
import { createMetrics } from '../metrics.ts';
import { RELAY_LIMITS } from '../options.ts';
import { createInFlight } from '../quotas/in-flight.ts';
import { createChatPort } from './chat-port.ts';

const PERSON: Identity = { device_id: 'phone', roles: ['person'], label: 'Phone', scopes: [] };
const PROXY: Identity = { device_id: 'studio', roles: ['proxy'], label: 'Studio', scopes: [] };

/** The port over real sockets, with a core that does only what the test says. */
async function startPort(limits: Partial<typeof RELAY_LIMITS> = {}, clock: CoreClock = systemClock) {
  const received: string[] = [];
  const peers: PeerPort[] = [];
  const metrics = createMetrics();
  const port = createChatPort({
    core: {
      connect(peer) {
        peers.push(peer);
        return {
          connection_id: `c${peers.length}`,
          receive: (text) => received.push(text),
          closed: () => {},
        };
      },
    },
    clock,
    limits: { ...RELAY_LIMITS, ...limits },
    metrics,
    log: () => {},
    inFlight: createInFlight({ ...RELAY_LIMITS, ...limits }, metrics),
  });
  const server = createServer();
  const sockets = new WebSocketServer({ server, autoPong: false });
  const tcp = await listenOnLoopback(server);
  onTestFinished(async () => {
    metrics.close();
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const connect = async (identity?: Identity) => {
    const arrived = once(sockets, 'connection');
    const client = new WebSocket(`ws://127.0.0.1:${tcp}`);
    onTestFinished(() => client.terminate());
    const got: string[] = [];
    client.on('message', (data) => got.push(String(data)));
    const [[taken, { socket: stream }]] = await Promise.all([arrived, once(client, 'open')]);
    port.take(taken, stream, identity);
    const peer = peers.at(-1);
    if (peer === undefined) throw new Error('The core was not told.');
    return { client, got, peer };
  };
  return { connect, port, received, metrics };
}

const FRAME = JSON.stringify({ filling: 'x'.repeat(32_768) });

test('[CHT-98] a peer that leaves 1 MiB unread gets nothing more, and its neighbour gets everything', async () => {
  const { connect, metrics } = await startPort();
  const slow = await connect(PERSON);
  const quick = await connect(PERSON);
  slow.client.pause();
  let sent = 0;
  while (slow.peer.send(FRAME, 'live')) {
    quick.peer.send(FRAME, 'live');
    sent += 1;
    await quick.peer.drained();
  }
  quick.peer.send('"last"', 'live');
  while (quick.got.at(-1) !== '"last"') await once(quick.client, 'message');
  expect(quick.got).toHaveLength(sent + 1);
  expect(slow.peer.send('{}', 'live')).toBe(false);
  expect(slow.peer.send('{}', 'history')).toBe(false);
  expect(metrics.text()).toContain('drawbridge_lagging_total 1\n');

  slow.peer.close(4408, 'lagging');
  slow.client.resume();
  const [code] = await once(slow.client, 'close');
  expect(code).toBe(4408);
  expect(slow.got).toHaveLength(sent);
});

test('[CHT-98] a peer that the core closes as lagging is counted, once', async () => {
  const { connect, metrics } = await startPort();
  const { client, peer } = await connect(PROXY);
  peer.close(4408, 'too many frames wait: read the answers');
  await once(client, 'close');
  expect(metrics.text()).toContain('drawbridge_lagging_total 1\n');
});

test('[CHT-98] a thousand unread events are too many, however small they are', async () => {
  const { connect } = await startPort();
  const { client, peer, got } = await connect(PERSON);
  client.pause();
  while (!(await isStuck(peer))) peer.send(FRAME, 'history');
  let events = 0;
  while (peer.send('{}', 'live')) events += 1;
  expect(events).toBe(1_000);
  client.resume();
  await peer.drained();
  while (got.filter((text) => text === '{}').length < events) await once(client, 'message');
});

test('[CHT-99] history does not count: a peer that has read it gets live events again', async () => {
  const { connect } = await startPort();
  const { client, peer, got } = await connect(PERSON);
  client.pause();
  for (let at = 0; at < 256; at += 1) expect(peer.send(FRAME, 'history')).toBe(true);
  expect(peer.send('"live"', 'live')).toBe(true);
  client.resume();
  await peer.drained();
  while (got.at(-1) !== '"live"') await once(client, 'message');
  expect(got).toHaveLength(257);
});

test('[CHT-98] one event larger than the cap reaches a peer that has read everything', async () => {
  const { connect } = await startPort({ unread_bytes: 1_000 });
  const { client, peer, got } = await connect(PERSON);
  expect(peer.send(FRAME, 'live')).toBe(true);
  while (got.length === 0) await once(client, 'message');
  expect(got).toEqual([FRAME]);
});

test('a wait for a peer to read ends when the peer is gone', async () => {
  const { connect } = await startPort();
  const { client, peer } = await connect(PERSON);
  client.pause();
  while (!(await isStuck(peer))) peer.send(FRAME, 'history');
  const drained = peer.drained();
  client.terminate();
  await drained;
  expect(peer.send('{}', 'live')).toBe(false);
});

test('no more commands are read from a peer that reads no answers', async () => {
  const { connect, received } = await startPort();
  const { client, peer } = await connect(PROXY);
  client.pause();
  while (!(await isStuck(peer))) peer.send(FRAME, 'answer');
  for (let at = 0; at < 256; at += 1) peer.send(FRAME, 'answer');
  await new Promise<void>((sent) => client.send('{"unheard":true}', () => sent()));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(received).toEqual([]);
  client.resume();
  await peer.drained();
  while (received.length === 0) await turn();
  expect(received).toEqual(['{"unheard":true}']);
});

/** One or more: some tokens are refilled while the rest is on its way. */
const DELAYED = /^drawbridge_frames_delayed_total [1-9]/m;

test('[CHT-97] a proxy has a burst of two thousand frames where a person has two hundred', async () => {
  const { connect, received, metrics } = await startPort();
  const proxy = await connect(PROXY);
  for (let at = 0; at < 1_900; at += 1) proxy.client.send('"proxy"');
  while (received.length < 1_900) await turn();
  expect(metrics.text()).not.toMatch(DELAYED);
  const person = await connect(PERSON);
  for (let at = 0; at < 220; at += 1) person.client.send('"person"');
  while (received.length < 2_120) await turn();
  expect(metrics.text()).toMatch(DELAYED);
});

test('[CHT-97] pings count as frames and are answered', async () => {
  const { connect, received, metrics } = await startPort();
  const { client } = await connect(PERSON);
  let pongs = 0;
  client.on('pong', () => {
    pongs += 1;
  });
  for (let at = 0; at < 210; at += 1) client.ping();
  client.send('"after"');
  while (received.length === 0 || pongs < 210) await turn();
  expect(metrics.text()).toMatch(DELAYED);
});

test('[CHT-01] a binary frame is not a message', async () => {
  const { connect, received } = await startPort();
  const { client } = await connect();
  client.send(Buffer.from('{"type":"heartbeat"}'));
  while (received.length === 0) await turn();
  expect(received).toEqual(['']);
});

test('[CHT-95] limits the sockets of strangers, not those of devices', async () => {
  const { connect, port } = await startPort({ strangers: 2 });
  await connect();
  await connect(PERSON);
  expect(port.hasRoomFor(undefined)).toBe(true);
  const { client, peer } = await connect();
  expect(port.hasRoomFor(undefined)).toBe(false);
  expect(port.hasRoomFor(PERSON)).toBe(true);
  peer.close(4408, 'bye');
  await once(client, 'close');
  while (!port.hasRoomFor(undefined)) await turn();
});

const turn = () => new Promise((done) => setImmediate(done));

/** Whether the kernel's buffer is full: a few turns of the loop have written nothing. */
async function isStuck(peer: PeerPort): Promise<boolean> {
  let written = false;
  void peer.drained().then(() => {
    written = true;
  });
  for (let turns = 0; turns < 20 && !written; turns += 1) await turn();
  return !written;
}

test('history that a device was sent counts as its frames: its next page and frame wait, on every socket', async () => {
  const clock = createFakeClock(0);
  const { connect, received } = await startPort(
    { browser_burst: 10, browser_frames_per_second: 10, history_unit: 1_000 },
    coreClock(clock),
  );
  const [one, two, other] = [await connect(PERSON), await connect(PERSON), await connect(PROXY)];
  one.peer.send('x'.repeat(20_000), 'history');
  let pages = 0;
  const page = one.peer.drained().then(() => {
    pages += 1;
  });
  two.client.send('late');
  other.client.send('at once');
  await expect.poll(() => received).toEqual(['at once']);
  clock.advance(900);
  expect([pages, received]).toEqual([0, ['at once']]);
  clock.advance(500);
  await page;
  await expect.poll(() => received).toEqual(['at once', 'late']);
  one.peer.send('x'.repeat(20_000), 'history');
  const left = one.peer.drained();
  one.client.terminate();
  await left;
});
