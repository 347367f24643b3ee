import type { BridgeItem } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { createArrivals, listenTo } from '../test/received-log.ts';
import { ConnectionHub } from './connection-hub.ts';
import { acceptPort, connectPort, fromMessagePort, fromRuntimePort, type RuntimePortLike } from './port.ts';

const PEER = { credential_id: 'page', endpoint: 'runtime' };
const item: BridgeItem = { type: 'runtime_status', runtime_id: 'r' };

function setUp() {
  const arrivals = createArrivals();
  const hub = new ConnectionHub({ onConnection: arrivals.take });
  return { arrivals, hub, [Symbol.dispose]: () => hub.close() };
}

test('[BRG-106] sends plain objects to a peer that posts plain objects', async () => {
  using server = setUp();
  const { port1, port2 } = new MessageChannel();
  acceptPort(fromMessagePort(port2), { hub: server.hub, peer: PEER });
  port1.postMessage(item);
  const { link, received } = await server.arrivals.at(0);
  await received.count(1);
  expect(received.items).toEqual([item]);
  const answered = new Promise((resolve) => port1.addEventListener('message', ({ data }) => resolve(data)));
  port1.start();
  link.send(item);
  expect(await answered).toEqual(item);
  port1.close();
  await expect(received.state('closed')).resolves.toMatchObject({ reason: 'failed' });
});

test('[BRG-106] sends at once to a peer that knows only plain items', async () => {
  const { port1, port2 } = new MessageChannel();
  const link = connectPort({ open: () => fromMessagePort(port1), plain: true });
  const came = new Promise((resolve) => port2.addEventListener('message', ({ data }) => resolve(data)));
  port2.start();
  link.send(item);
  expect(await came).toEqual(item);
  link.close();
});

test('refuses garbage on a port and continues', async () => {
  using server = setUp();
  const { port1, port2 } = new MessageChannel();
  acceptPort(fromMessagePort(port2), { hub: server.hub, peer: PEER });
  let deep: unknown[] = [];
  for (let level = 0; level < 500; level++) deep = [deep];
  const loop: Record<string, unknown> = {};
  loop['loop'] = loop;
  const garbage = [null, 7, 7n, 'text', undefined, new Map(), deep, loop, { type: 'action_call' }];
  port1.postMessage(item);
  for (const thing of garbage) port1.postMessage(thing);
  port1.postMessage(item);
  const { received } = await server.arrivals.at(0);
  await received.count(2);
  expect(received.problems.map(({ kind }) => kind)).toEqual(garbage.map(() => 'refused'));
  port1.close();
});

/** Two ends like `chrome.runtime.connect`: JSON passes, and a disconnected one throws. */
function runtimePorts(): readonly [RuntimePortLike, RuntimePortLike] {
  const ends = [0, 1].map(() => ({
    messages: [] as Array<(m: unknown) => void>,
    ends: [] as Array<() => void>,
  }));
  let connected = true;
  const portOf = (own: number): RuntimePortLike => ({
    onMessage: { addListener: (listener) => ends[own]?.messages.push(listener) },
    onDisconnect: { addListener: (listener) => ends[own]?.ends.push(listener) },
    postMessage: (message) => {
      if (!connected) throw new Error('Attempting to use a disconnected port object');
      const json = JSON.stringify(message);
      queueMicrotask(() => ends[1 - own]?.messages.map((hear) => hear(JSON.parse(json))));
    },
    disconnect: () => {
      connected = false;
      queueMicrotask(() => ends[1 - own]?.ends.map((hear) => hear()));
    },
  });
  return [portOf(0), portOf(1)];
}

test('[BRG-106] [BRG-107] carries and resumes items over ports of an extension', async () => {
  using server = setUp();
  let drop = () => {};
  const link = connectPort({
    backoff: { minMs: 2 },
    open: () => {
      const [near, far] = runtimePorts();
      acceptPort(fromRuntimePort(far), { hub: server.hub, peer: PEER });
      drop = () => far.disconnect();
      return fromRuntimePort(near);
    },
  });
  const heardHere = listenTo(link);
  link.send(item);
  const { received } = await server.arrivals.at(0);
  await received.count(1);
  drop();
  link.send({ ...item, states: ['after'] });
  await heardHere.state('open', ({ resumed }) => resumed);
  await received.count(2);
  expect(received.items).toEqual([item, { ...item, states: ['after'] }]);
  link.close();
});
