import { createSocketPair } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { item, PEER, setUp } from '../test/frame-bench.ts';
import { listenTo } from '../test/received-log.ts';
import { parseControl, writeControl } from './control-frame.ts';

test('sends heartbeats from both ends while idle', async () => {
  const { connect, pass, settle, pairs } = setUp();
  const link = connect();
  await settle();
  await pass(200_000);
  expect(link.state.kind).toBe('open');
  expect(pairs).toHaveLength(1);
});

test('confirms soon, which makes room for more', async () => {
  const { connect, pass, settle } = setUp();
  const link = connect();
  await settle();
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 1_000; n++) link.send(item(`${round}-${n}`));
    await pass(200);
  }
  expect(link.state.kind).toBe('open');
});

test('[BRG-91] detects a silent peer at both ends', async () => {
  const { connect, pass, settle, pairs, arrivals, fallSilent } = setUp();
  const link = connect();
  const received = listenTo(link);
  await settle();
  const server = await arrivals.at(0);
  fallSilent();
  pairs[0]?.dropNext('a', 1_000);
  pairs[0]?.dropNext('b', 1_000);
  await pass(46_000);
  expect(await received.state('waiting')).toMatchObject({
    error: { code: 'transport_failed', evidence: { reason: 'peer_silent' } },
  });
  expect(server.link.state).toMatchObject({
    kind: 'waiting',
    error: { evidence: { reason: 'peer_silent' } },
  });
});

test('retries an unanswered connection with growing waits', async () => {
  const { connect, fake, settle, fallSilent, pass } = setUp();
  fallSilent();
  const received = listenTo(connect());
  await settle();
  await pass(10_000);
  expect(await received.state('waiting')).toMatchObject({
    until: fake.now() + 50,
    error: { evidence: { reason: 'open_timeout' } },
  });
  await pass(50 + 10_000);
  expect(received.states.filter(({ kind }) => kind === 'waiting').at(-1)).toMatchObject({
    until: fake.now() + 100,
  });
});

test('[BRG-107] resumes a peer that comes back in time, and expires it later', async () => {
  const { connect, settle, pass, pairs, arrivals, hub, fallSilent } = setUp({ retainMs: 5_000 });
  const link = connect();
  const received = listenTo(link);
  await settle();
  pairs[0]?.cut();
  await settle();
  await pass(50);
  expect(link.state).toEqual({ kind: 'open', resumed: true, connection_id: 'first' });
  fallSilent();
  pairs[1]?.cut();
  await settle();
  const { link: atServer, received: serverHeard } = await arrivals.at(0);
  atServer.send(item('unheard'));
  await pass(5_000);
  expect(atServer.state).toMatchObject({
    kind: 'closed',
    reason: 'expired',
    error: { code: 'transport_failed' },
  });
  expect(serverHeard.problems).toMatchObject([{ kind: 'lost', items: [item('unheard')] }]);
  expect(hub.size).toBe(0);
  expect(received.problems).toEqual([]);
});

test('gives another credential with the same id a new connection', async () => {
  const { connect, settle, pass, pairs } = setUp({}, [PEER, { ...PEER, credential_id: 'two' }]);
  const link = connect();
  const received = listenTo(link);
  await settle();
  pairs[0]?.cut();
  await settle();
  await pass(50);
  expect(link.state).toEqual({ kind: 'open', resumed: false, connection_id: 'second' });
  expect(received.problems).toMatchObject([
    { kind: 'lost', items: [], error: { evidence: { reason: 'resume_impossible' } } },
  ]);
});

test('lets a newer wire take over from one that hangs', async () => {
  const { accept, settle, arrivals, pairs } = setUp();
  const dial = () => {
    const pair = createSocketPair();
    pairs.push(pair);
    const frames: string[] = [];
    const closes: number[] = [];
    pair.a.onMessage((text) => frames.push(text));
    pair.a.onClose((code) => closes.push(code));
    accept(pair.b, PEER);
    return { frames, closes, send: (text: string) => pair.a.send(text) };
  };
  const first = dial();
  first.send(writeControl({ kind: 'hello', received: 0 }));
  first.send(JSON.stringify(item('1')));
  await settle();
  const second = dial();
  second.send(writeControl({ kind: 'hello', connection_id: 'first', received: 0 }));
  await settle();
  first.send(JSON.stringify(item('never')));
  second.send(JSON.stringify(item('2')));
  await settle();
  expect(first.closes).toEqual([4409]);
  expect(parseControl(second.frames[0] ?? '')).toEqual({
    kind: 'hello',
    connection_id: 'first',
    received: 1,
  });
  const { received } = await arrivals.at(0);
  expect(received.items).toEqual([item('1'), item('2')]);
});

test.each(['not a hello', JSON.stringify(item('1')), 'drawbridge:{"kind":"ack","received":0}'])(
  'who agreed to resume and begins with %s is let go',
  async (text) => {
    const { accept, settle, hub, pairs } = setUp();
    const pair = createSocketPair();
    pairs.push(pair);
    const closes: number[] = [];
    pair.a.onClose((code) => closes.push(code));
    accept(pair.b, PEER);
    pair.a.send(text);
    await settle();
    expect(closes).toEqual([4400]);
    expect(hub.size).toBe(0);
  },
);

test('closes a peer that never says anything', async () => {
  const { accept, pass, pairs } = setUp();
  const pair = createSocketPair();
  pairs.push(pair);
  const closes: number[] = [];
  pair.a.onClose((code) => closes.push(code));
  accept(pair.b, PEER);
  await pass(5_000);
  expect(closes).toEqual([4400]);
});

test('limits connections per credential: evicts a disconnected one, never an open one', async () => {
  const { connect, settle, pairs, hub, fallSilent, arrivals } = setUp({ maxConnections: 2 });
  const [one, two, three] = [connect(), connect(), connect()];
  const received = [one, two, three].map(listenTo);
  await settle();
  expect([one, two, three].map(({ state }) => state.kind)).toEqual(['open', 'open', 'waiting']);
  expect(hub.size).toBe(2);
  await expect(received[2]?.state('waiting')).resolves.toMatchObject({
    error: { evidence: { close_code: 4429 } },
  });
  fallSilent();
  pairs[0]?.cut();
  await settle();
  expect(hub.open(PEER)).toBeDefined();
  expect((await arrivals.at(0)).link.state).toMatchObject({ kind: 'closed', reason: 'expired' });
});

test('lets peers reconnect after a server goes away', async () => {
  const { connect, settle, hub } = setUp();
  const link = connect();
  await settle();
  hub.close();
  hub.close();
  await settle();
  expect(link.state).toMatchObject({ kind: 'waiting', error: { evidence: { close_code: 1001 } } });
});

test('stays closed when closed while waiting, and leaves no timer', async () => {
  const { connect, settle, pass, pairs, fake, hub } = setUp({ retainMs: 100 });
  const link = connect();
  await settle();
  pairs[0]?.cut();
  await settle();
  link.close();
  await pass(1_000);
  expect(link.state).toMatchObject({ kind: 'closed', reason: 'closed_here' });
  expect(pairs).toHaveLength(1);
  expect(hub.size).toBe(0);
  expect(fake.pending()).toBe(0);
});

test('keeps notifying listeners when one throws', async () => {
  const { connect, settle, arrivals } = setUp();
  const seen: unknown[] = [];
  const onUncaught = (error: unknown) => seen.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', onUncaught);
  try {
    const link = connect();
    await settle();
    const { link: atServer, received } = await arrivals.at(0);
    const bug = new Error('a bug');
    atServer.onItem(() => {
      throw bug;
    });
    link.send(item('1'));
    link.send(item('2'));
    await settle();
    expect(received.items).toEqual([item('1'), item('2')]);
    expect(seen).toEqual([bug, bug]);
    expect(link.state.kind).toBe('open');
  } finally {
    process.removeListener('uncaughtException', onUncaught);
    for (const listener of others) process.on('uncaughtException', listener);
  }
});
