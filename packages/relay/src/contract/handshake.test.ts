import { describe, expect, test } from 'vitest';
import { fresh, marked, typesAbout, useRelay } from '../../test/contract/contract-harness.ts';
import { AT, contentOf, listOf, sendOf, sessionObject, statusOf } from '../../test/contract/frames.ts';

const harness = useRelay();

const HELLO = { type: 'connection_hello', peer_role: 'browser', client_name: 'test' };

describe('hello', () => {
  test.each([
    ['person', 'proxy'],
    ['owner', 'proxy'],
    ['proxy', 'browser'],
    ['runtime', 'browser'],
    ['runtime', 'proxy'],
    ['agent', 'browser'],
    ['agent', 'proxy'],
  ] as const)('[CHT-85] a %s that claims to be a %s is refused and closed', async (role, peer_role) => {
    const peer = await harness.connect(role, null);
    peer.send({ ...HELLO, peer_role });
    expect(await peer.next('connection_error')).toMatchObject({ code: 'unauthorized' });
    expect((await peer.closed).code).toBe(4401);
  });

  test('[CHT-85] a stranger that claims to be a proxy is refused and closed', async () => {
    const peer = await harness.connect('stranger', null);
    peer.send({ ...HELLO, peer_role: 'proxy' });
    expect(await peer.next('connection_error')).toMatchObject({ code: 'unauthorized' });
    expect((await peer.closed).code).toBe(4401);
  });

  test('[CHT-101] acknowledges every connection with a unique id', async () => {
    const device = await harness.device('person');
    const peers = [
      await harness.connect(device),
      await harness.connect(device),
      await harness.connect('proxy'),
    ];
    const ids = peers.map((peer) => peer.all('connection_ack').map(({ connection_id }) => connection_id));
    expect(new Set(ids.flat()).size).toBe(3);
  });

  test('[CHT-102] refuses an unsupported version with its own code, and closes', async () => {
    const peer = await harness.connect('person', null);
    peer.send({ ...HELLO, protocol_version: 2 });
    expect(await peer.next('connection_error')).toMatchObject({ code: 'protocol_version_unsupported' });
    await peer.closed;
    expect(peer.frames).toHaveLength(1);
  });

  test('[CHT-103] refuses a malformed hello, which can be sent again', async () => {
    const peer = await harness.connect('person', null);
    peer.send({ ...HELLO, client_name: undefined, request_id: 'r1' });
    expect(await peer.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id: 'r1' });
    expect(peer.all('connection_ack')).toEqual([]);
    peer.send(HELLO);
    await peer.next('connection_ack');
  });

  test.each([{ type: 'heartbeat' }, sendOf('nowhere', 'c1'), { type: 'sessionUp' }, 'not JSON'])(
    '[CHT-104] %j as a first frame is refused, and the socket is closed',
    async (frame) => {
      const peer = await harness.connect('person', null);
      peer.send(frame);
      expect(await peer.next('connection_error')).toMatchObject({ code: 'invalid_message' });
      await peer.closed;
      expect(peer.frames).toHaveLength(1);
    },
  );

  test('[CHT-104] a second hello is refused and changes nothing', async () => {
    const peer = await harness.connect('person');
    await peer.next('session_snapshot');
    peer.send({ ...HELLO, features: ['queue'] });
    expect(await peer.next('connection_error')).toMatchObject({ code: 'invalid_message' });
    await peer.settled();
    expect(peer.all('connection_ack')).toHaveLength(1);
    expect(peer.all('session_snapshot')).toHaveLength(1);
  });
});

describe('frames that are refused', () => {
  test.each([
    ['text that is not JSON', 'nonsense'],
    ['a list', '[1]'],
    ['an unknown type', { type: 'make_tea' }],
    ['a retired type', { type: 'send' }],
    ['a frame without its fields', { type: 'send_message' }],
  ])('[CHT-105] [CHT-106] %s gets connection_error, and the connection continues', async (_, frame) => {
    const peer = await harness.connect('person');
    peer.send(frame);
    expect(await peer.next('connection_error')).toMatchObject({ code: 'invalid_message' });
    await peer.settled();
  });

  test('[CHT-106] a frame of an unsupported version ends the connection', async () => {
    const peer = await harness.connect('person');
    peer.send({ type: 'heartbeat', protocol_version: 7 });
    expect(await peer.next('connection_error')).toMatchObject({ code: 'protocol_version_unsupported' });
    await peer.closed;
  });

  test('[CHT-107] the error repeats the ids of the frame', async () => {
    const peer = await harness.connect('person');
    const ids = { request_id: 'r1', session_id: 'nowhere', client_message_id: 'c1' };
    peer.send(sendOf('nowhere', 'c1', ids));
    expect(await peer.next('connection_error')).toMatchObject({ code: 'session_unknown', ...ids });
  });

  test('[CHT-107] the error repeats the ids of a malformed frame', async () => {
    const peer = await harness.connect('person');
    const ids = { request_id: 'r1', session_id: 'nowhere', client_message_id: 'c1' };
    peer.send({ type: 'send_message', ...ids });
    expect(await peer.next('connection_error')).toMatchObject({ code: 'invalid_message', ...ids });
  });

  test('[CHT-107] the error has no id that the frame did not have', async () => {
    const peer = await harness.connect('person');
    peer.send({ type: 'make_tea' });
    const error = await peer.next('connection_error');
    expect(Object.keys(error)).not.toEqual(expect.arrayContaining(['request_id']));
    expect(error).not.toHaveProperty('session_id');
    expect(error).not.toHaveProperty('client_message_id');
  });
});

test('[CHT-108] every frame that the relay originates has server_ts', async () => {
  const openSession = await harness.session();
  const { session_id, person, proxy } = openSession;
  person.send(sendOf(session_id, 'c1'));
  proxy.send(contentOf(session_id, 'Hello.'));
  await proxy.next('send_message');
  person.send({ type: 'history_request', session_id });
  await person.next('history_snapshot');
  person.send({ type: 'make_tea' });
  await person.next('connection_error');
  await marked(openSession);
  const unstamped = [...person.frames, ...proxy.frames].filter(({ server_ts }) => server_ts === undefined);
  // Forwarded frames stay the person's and bear no stamp.
  expect(unstamped.map(({ type }) => type)).toEqual(['send_message']);
});

describe('heartbeat', () => {
  test.each(['person', 'proxy', 'stranger'] as const)('[CHT-109] a %s gets an ack', async (role) => {
    const peer = await harness.connect(role);
    const [ack] = peer.all('connection_ack');
    peer.send({ type: 'heartbeat', request_id: 'beat 1', client_ts: AT });
    expect(await peer.next('heartbeat_ack')).toMatchObject({
      request_id: 'beat 1',
      connection_id: ack?.connection_id,
      server_ts: expect.any(String),
    });
  });

  test('[CHT-109] each heartbeat gets one ack', async () => {
    const peer = await harness.connect('person');
    for (const request_id of ['a', 'b', 'c']) peer.send({ type: 'heartbeat', request_id });
    await peer.settled();
    expect(peer.all('heartbeat_ack').map(({ request_id }) => request_id)).toEqual([
      'a',
      'b',
      'c',
      'settled_1',
    ]);
  });

  test('[CHT-110] the ack has 10 s and 30 s', async () => {
    const peer = await harness.connect('person');
    expect(peer.all('connection_ack')).toMatchObject([
      { heartbeat_interval_ms: 10_000, heartbeat_timeout_ms: 30_000 },
    ]);
  });

  test('[CHT-112] [CHT-119] a proxy that is silent for 30 s is gone, and so are its sessions', async () => {
    const { session_id, person, proxy } = await harness.session();
    harness.clock.advance(29_999);
    await person.settled();
    await proxy.settled();
    harness.clock.advance(29_999);
    await harness.idle();
    await person.settled();
    expect(person.all('session_down')).toEqual([]);
    harness.clock.advance(1);
    expect(await person.next('session_down')).toMatchObject({ session_id, reason: 'proxy_disconnected' });
    await proxy.closed;
    await person.settled();
  });

  test('[CHT-112] any frame resets the idle timeout, not only heartbeats', async () => {
    const { session_id, person, proxy } = await harness.session();
    for (const label of ['reading', 'writing', 'thinking']) {
      harness.clock.advance(20_000);
      await person.settled();
      proxy.send(statusOf(session_id, { activity: { kind: 'thinking', label } }));
      await person.next('session_status', { activity: { label } });
    }
    expect(proxy.isClosed()).toBe(false);
  });

  test('[CHT-113] a live socket does not make a session healthy', async () => {
    const { session_id, person, proxy } = await harness.session();
    for (const status of ['degraded', 'scraping_failed', 'agent_ui_changed']) {
      proxy.send(statusOf(session_id, { status }));
      await person.next('session_status', { status });
      await proxy.settled();
      const other = await harness.connect('person');
      expect((await other.next('session_snapshot')).sessions).toContainEqual(
        expect.objectContaining({ session_id, status }),
      );
    }
    expect(typesAbout(person, session_id)).toEqual([
      'session_up',
      'session_status',
      'session_status',
      'session_status',
    ]);
  });

  test('[CHT-114] a wall clock jump makes no connection stale', async () => {
    const { person, proxy } = await harness.session();
    for (const jump of [86_400_000, -172_800_000, 86_400_000]) {
      harness.clock.jump(jump);
      await person.settled();
      await proxy.settled();
    }
    harness.clock.advance(29_999);
    await person.settled();
    await proxy.settled();
  });
});

test('[CHT-116] a browser gets a snapshot after its ack, on a first connection and on a resumed one', async () => {
  const session_id = fresh('session');
  const proxy = await harness.connect('proxy');
  const session = sessionObject(session_id, { display_name: 'Codex', workspace_name: 'bridge' });
  proxy.send(listOf(session));
  await proxy.settled();
  for (const resume of [undefined, { sessions: [{ session_id, last_sequence: 0 }] }]) {
    const person = await harness.connect('person', { resume });
    expect((await person.next('session_snapshot')).sessions).toContainEqual(expect.objectContaining(session));
    expect(person.frames.slice(0, 2).map(({ type }) => type)).toEqual(['connection_ack', 'session_snapshot']);
  }
});
