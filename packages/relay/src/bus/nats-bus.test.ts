import { createHmac, randomUUID } from 'node:crypto';
import { type Nats, startFaultProxy, startNats } from '@drawbridge/testbed';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { appended, COMMAND, describeBus, listenTo } from '../../test/bus/bus.contract.ts';
import { parseNatsUrl } from './nats-address.ts';
import { type NatsBusOptions, openNatsBus } from './nats-bus.ts';

let nats: Nats;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(async () => nats[Symbol.asyncDispose]());

/** Nodes of a ledger that no other test uses. */
function relaysOf(url = nats.url, secret = 'a secret of the nodes') {
  const epoch = randomUUID();
  const faults: unknown[] = [];
  const join = async (changed: Partial<NatsBusOptions> = {}) => {
    const options = { url, epoch, secret, node_id: randomUUID(), reconnectMs: 20, ...changed };
    const bus = await openNatsBus({ ...options, onError: (error) => faults.push(error) });
    onTestFinished(bus.close);
    return bus;
  };
  return { join, epoch, faults };
}

/** Waits until a message of one node reaches the other. */
async function joined(
  from: Awaited<ReturnType<typeof openNatsBus>>,
  to: Awaited<ReturnType<typeof openNatsBus>>,
): Promise<void> {
  const received = listenTo(to);
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    from.publish({ kind: 'node', node_id: `are you there ${count}`, facts: {} });
  }, 20);
  try {
    await received.until((messages) =>
      messages.some((message) => message.kind === 'node' && message.node_id.startsWith('are you')),
    );
  } finally {
    clearInterval(timer);
    received.stop();
  }
}

const back = (bus: Awaited<ReturnType<typeof openNatsBus>>): Promise<void> =>
  new Promise((resolve) => {
    const stop = bus.onBack(() => {
      stop();
      resolve();
    });
  });

describeBus('the bus over NATS', async () => relaysOf());

describe('failures', () => {
  test('a server restart: nothing throws, own messages are delivered, and all nodes reconnect', async () => {
    const own = await startNats();
    onTestFinished(() => own[Symbol.asyncDispose]());
    const { join } = relaysOf(own.url);
    const [one, two] = [await join(), await join()];
    await joined(one, two);
    await own.stop();
    await vi.waitUntil(() => !one.isUp() && !two.isUp(), { timeout: 30_000 });
    const [mine, theirs] = [listenTo(one), listenTo(two)];
    one.publish(appended('s', 1));
    expect(mine.messages).toEqual([appended('s', 1)]);
    expect(one.counts().dropped).toBeGreaterThan(0);
    const whole = Promise.all([back(one), back(two)]);
    await own.start();
    await whole;
    expect([one.isUp(), two.isUp()]).toEqual([true, true]);
    await joined(one, two);
    // The ledger has the event; the bus does not deliver it late.
    expect(theirs.messages).not.toContainEqual(appended('s', 1));
  });

  test('reconnects after a cut connection, and gives up a silent one', async () => {
    const { hostname, port } = new URL(nats.url);
    await using proxy = await startFaultProxy({ target: { host: hostname, port: Number(port) }, seed: 1 });
    const { join } = relaysOf();
    const cut = await join({ url: `nats://127.0.0.1:${proxy.port}` });
    const other = await join();
    await joined(other, cut);
    const isBack = back(cut);
    proxy.cut();
    await isBack;
    await joined(cut, other);

    proxy.pause();
    await vi.waitUntil(() => !cut.isUp(), { timeout: 30_000 });
    const again = back(cut);
    proxy.resume();
    await again;
    await joined(cut, other);
  });

  test('sends only the head of a message that is too long for the server', async () => {
    const { join } = relaysOf();
    const [one, two] = [await join(), await join()];
    const [own, received] = [listenTo(one), listenTo(two)];
    const long = appended('long', 9, 'x'.repeat(2 * 1_048_576));
    one.publish(long);
    await received.until((messages) => messages.length === 1);
    expect(own.messages).toEqual([long]);
    expect(received.messages).toEqual([
      {
        kind: 'heartbeat',
        node_id: 'bus',
        is_leader: false,
        heads: [{ session_id: 'long', head: 9 }],
        left: [],
        revoked: [],
      },
    ]);
  });

  test('ignores messages of a stranger', async () => {
    const { join, epoch, faults } = relaysOf();
    const bus = await join();
    const received = listenTo(bus);
    const stranger = await connect({ servers: new URL(nats.url).host });
    onTestFinished(() => stranger.close());
    const root = `drawbridge.${Buffer.from(epoch).toString('base64url')}`;
    const signedOtherwise = await join({ secret: 'another' });
    signedOtherwise.publish(appended('s', 1));
    for (const text of ['', '{}', 'null', '\u0000'.repeat(64), JSON.stringify(appended('s', 2))]) {
      stranger.publish(`${root}.session.x`, text);
      stranger.publish(`${root}.asked`, `${'m'.repeat(32)}${text}`);
    }
    await stranger.flush();
    await vi.waitUntil(() => bus.counts().refused === 11);
    expect(received.messages).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('refuses a message that was signed for another session', async () => {
    const { join, epoch } = relaysOf();
    const [one, two] = [await join(), await join()];
    const listener = await connect({ servers: new URL(nats.url).host });
    onTestFinished(() => listener.close());
    const received = new Promise<Uint8Array>((resolve) => {
      const root = `drawbridge.${Buffer.from(epoch).toString('base64url')}`;
      listener.subscribe(`${root}.>`, { callback: (_, { data }) => resolve(data) });
    });
    await listener.flush();
    one.publish(appended('s', 1));
    const data = await received;
    await vi.waitUntil(() => two.counts().received === 1);
    listener.publish(`drawbridge.${Buffer.from(epoch).toString('base64url')}.asked`, data);
    await vi.waitUntil(() => two.counts().refused === 1);
  });

  test('a request without a server, or that nobody answers, resolves with undefined', async () => {
    const own = await startNats();
    onTestFinished(() => own[Symbol.asyncDispose]());
    const { join, faults } = relaysOf(own.url);
    const bus = await join();
    expect(await bus.request(COMMAND, 50)).toBeUndefined();
    await own.stop();
    await vi.waitUntil(() => !bus.isUp());
    expect(await bus.request(COMMAND, 60_000)).toBeUndefined();
    expect(faults).toEqual([]);
    await bus.close();
    expect(await bus.request(COMMAND, 60_000)).toBeUndefined();
  });

  test('believes no acknowledgement of a stranger', async () => {
    const { join, epoch } = relaysOf();
    const bus = await join();
    const stranger = await connect({ servers: new URL(nats.url).host });
    onTestFinished(() => stranger.close());
    const root = `drawbridge.${Buffer.from(epoch).toString('base64url')}`;
    stranger.subscribe(`${root}.asked`, {
      callback: (_, message) => void message.respond(`${'m'.repeat(32)}stranger`),
    });
    await stranger.flush();
    expect(await bus.request(COMMAND, 60_000)).toBeUndefined();
  });

  test('asks and answers nodes of the version before, which publish their acknowledgements', async () => {
    const { join, epoch } = relaysOf();
    const bus = await join();
    onTestFinished(bus.onMessage((_, acknowledge) => acknowledge('new')));
    const former = await connect({ servers: new URL(nats.url).host, noEcho: true });
    onTestFinished(() => former.close());
    const root = `drawbridge.${Buffer.from(epoch).toString('base64url')}`;
    const publish = (kind: string, message: object): void => {
      const body = JSON.stringify({ kind, ...message });
      const key = createHmac('sha256', 'a secret of the nodes').update(`${root}.${kind}\n${body}`);
      former.publish(`${root}.${kind}`, Buffer.concat([key.digest(), Buffer.from(body)]));
    };
    former.subscribe(`${root}.asked`, {
      callback: (_, { data }) => {
        const { ask_id } = JSON.parse(Buffer.from(data.subarray(32)).toString());
        publish('heard', { id: ask_id, node_id: 'former' });
      },
    });
    await former.flush();
    expect(await bus.request(COMMAND, 60_000)).toBe('former');
    const heard = new Promise<unknown>((resolve) => {
      const callback = (_: unknown, { data }: { readonly data: Uint8Array }) =>
        resolve(JSON.parse(Buffer.from(data.subarray(32)).toString()));
      former.subscribe(`${root}.heard`, { callback });
    });
    await former.flush();
    const { command_id: _, kind: _kind, ...from } = COMMAND;
    publish('asked', { ...from, ask_id: 'theirs' });
    expect(await heard).toEqual({ kind: 'heard', id: 'theirs', node_id: 'new' });
  });

  test('delivers to the other listeners when one throws', async () => {
    const { join, faults } = relaysOf();
    const [one, two] = [await join(), await join()];
    two.onMessage(() => {
      throw new Error('as planned');
    });
    const received = listenTo(two);
    one.publish(appended('s', 1));
    await received.until((messages) => messages.length === 1);
    expect(faults).toHaveLength(1);
  });

  test('publishes nothing after close, and never throws', async () => {
    const { join } = relaysOf();
    const bus = await join();
    await Promise.all([bus.close(), bus.close()]);
    bus.publish(appended('s', 1));
    expect(bus.isUp()).toBe(false);
  });

  test('opens without a server, names its address without the password, and connects when it starts', async () => {
    const own = await startNats();
    onTestFinished(() => own[Symbol.asyncDispose]());
    await own.stop();
    const { host } = new URL(own.url);
    const { join, faults } = relaysOf(`nats://user:hidden@${host}`);
    const bus = await join();
    expect(bus.isUp()).toBe(false);
    expect(String(faults[0])).toContain(`Cannot connect to the bus at ${host}`);
    expect(String(faults[0])).not.toContain('hidden');
    const mine = listenTo(bus);
    bus.publish(appended('s', 1));
    expect(mine.messages).toEqual([appended('s', 1)]);
    expect(bus.counts()).toMatchObject({ dropped: 1 });
    const whole = back(bus);
    await own.start();
    await whole;
    expect(bus.isUp()).toBe(true);
    await joined(await join(), bus);
  });

  test('connects no more when it was closed before the server came', async () => {
    const own = await startNats();
    onTestFinished(() => own[Symbol.asyncDispose]());
    await own.stop();
    const { join } = relaysOf(own.url);
    const closed = await join();
    await closed.close();
    const open = await join();
    const whole = back(open);
    await own.start();
    await whole;
    expect(closed.isUp()).toBe(false);
  });
});

test.each([
  ['nats://a:1', { servers: ['a:1'] }],
  ['nats://a:1, nats://b:2', { servers: ['a:1', 'b:2'] }],
  ['nats://u:p%40ss@a', { servers: ['a'], user: 'u', pass: 'p@ss' }],
  ['nats://token@a', { servers: ['a'], token: 'token' }],
  ['tls://a:1', { servers: ['a:1'], tls: {} }],
])('%s', (text, options) => {
  expect(parseNatsUrl(text)).toEqual(options);
});

test.each(['', 'a:1', 'http://a', 'nats://', 'nats://secret@a,oops'])('no address: %j', (text) => {
  expect(() => parseNatsUrl(text)).toThrow(/^Invalid bus address/);
  expect(() => parseNatsUrl(text)).not.toThrow(/secret/);
});
