import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { createFakeClock } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import {
  startTestRelay,
  type TestPeer,
  type TestRelay,
  upgradeStatus,
} from '../../test/server/test-relay.ts';

const wrongToken = (number: number) => `dbr_${String(number).padStart(43, '0')}`;

const statusWith = (relay: TestRelay, token: string, origin?: string) =>
  upgradeStatus(relay.url, '/ws/chat', {
    headers: { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) },
  });

test('[CHT-94] closes a socket that sends nothing for 5 s', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock });
  const silent = await relay.connect('person', null);
  const talking = await relay.connect('person');
  clock.advance(5_000);
  await silent.closed;
  await talking.settled();
});

test('[CHT-95] refuses the 51st socket without a credential, and no device', async () => {
  const relay = await startTestRelay();
  const strangers = [];
  for (let count = 0; count < 50; count += 1) strangers.push(await relay.connect('stranger'));
  const knock = () => upgradeStatus(relay.url, '/ws/chat', { headers: { origin: relay.url } });
  expect(await knock()).toBe(503);
  await (await relay.connect('person')).settled();
  await strangers[0]?.close();
  while ((await knock()) !== 101);
});

test('[CHT-96] after ten wrong credentials from one address the next wrong one is limited, and a right one gets in', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock });
  const { token } = await relay.mint('person');
  for (let guess = 0; guess < 10; guess += 1) expect(await statusWith(relay, wrongToken(guess))).toBe(401);
  expect(await statusWith(relay, wrongToken(10))).toBe(429);
  expect(await statusWith(relay, token)).toBe(101);
  clock.advance(60_000);
  expect(await statusWith(relay, wrongToken(10))).toBe(401);
});

test('[CHT-96] ten of many concurrent guesses get 401, and a right one among them gets in', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('person');
  const tokens = [...Array.from({ length: 100 }, (_, guess) => wrongToken(guess)), token];
  const statuses = await Promise.all(tokens.map((each) => statusWith(relay, each)));
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(90);
  expect(statuses.at(-1)).toBe(101);
});

describe('[CHT-96] the halt works while another caller at the same address keeps failing', () => {
  const asked = async (relay: TestRelay, token: string, route: string, headers: object = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const init = { method, headers: { authorization: `Bearer ${token}`, ...headers } };
    return (await fetch(`${relay.url}${path}`, init)).status;
  };

  const expectBrake = async (relay: TestRelay, headers: object = {}) => {
    const owner = await relay.mint('owner');
    const other = await relay.mint('agent');
    expect(await asked(relay, owner.token, 'POST /api/halt', headers)).toBe(200);
    expect(await asked(relay, owner.token, `DELETE /api/devices/${other.device_id}`, headers)).toBe(204);
    expect(await asked(relay, other.token, 'GET /api/me', headers)).toBe(429);
  };

  test('with wrong tokens from loopback', async () => {
    const relay = await startTestRelay();
    for (let guess = 0; guess < 30; guess += 1) await asked(relay, wrongToken(guess), 'GET /api/me');
    await expectBrake(relay);
  });

  test('with the token of a revoked device', async () => {
    const relay = await startTestRelay();
    const revoked = await relay.mint('agent');
    await relay.devices.revoke(revoked.device_id, 'machine');
    for (let retry = 0; retry < 30; retry += 1) await asked(relay, revoked.token, 'GET /api/me');
    await expectBrake(relay);
  });

  test.each([
    ['that is trusted', true],
    ['that nobody named', false],
  ])('behind a proxy %s', async (_, trustedProxy) => {
    const relay = await startTestRelay({ trustedProxy });
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    for (let guess = 0; guess < 30; guess += 1) await asked(relay, wrongToken(guess), 'GET /api/me', headers);
    await expectBrake(relay, headers);
  });
});

test('[CHT-96] one wrong credential from many addresses counts as one', async () => {
  const relay = await startTestRelay({ trustedProxy: true });
  const askFrom = async (address: string, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `1.2.3.4, ${address}` };
    return (await fetch(`${relay.url}/api/me`, { headers })).status;
  };
  for (let host = 0; host < 10; host += 1) expect(await askFrom(`10.0.0.${host}`, wrongToken(0))).toBe(401);
  expect(await askFrom('10.0.1.1', wrongToken(0))).toBe(429);
  expect(await askFrom('10.0.1.1', wrongToken(1))).toBe(401);
});

test('[CHT-96] a page of another origin that guesses locks out no program of this machine', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('person');
  for (let guess = 0; guess < 10; guess += 1) {
    expect(await statusWith(relay, wrongToken(guess), 'http://evil.test')).toBe(401);
  }
  expect(await statusWith(relay, wrongToken(10), 'http://evil.test')).toBe(429);
  expect(await statusWith(relay, wrongToken(11))).toBe(401);
  expect(await statusWith(relay, token)).toBe(101);
});

test('[CHT-93] revoking a device ends its open sockets, and its token becomes invalid', async () => {
  const relay = await startTestRelay();
  const owner = await relay.connect('owner');
  const gone = await relay.connect('person');
  const other = await relay.connect('person');
  const device_id = gone.device?.device_id ?? '';
  const response = await fetch(`${relay.url}/api/devices/${device_id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${owner.device?.token}` },
  });
  expect(await response.text(), relay.lines.join('\n')).toBe('');
  expect((await gone.closed).code).toBe(4401);
  expect(await statusWith(relay, gone.device?.token ?? '')).toBe(401);
  await other.settled();
});

test('[CHT-97] a flood is handled slowly without loss, and others are answered in time', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock });
  const flooding = await relay.connect('person');
  const other = await relay.connect('person');
  for (let beat = 0; beat < 260; beat += 1) flooding.send({ type: 'heartbeat', request_id: `beat_${beat}` });
  // The hello took one of the burst of two hundred.
  for (let beat = 0; beat < 199; beat += 1) {
    expect((await flooding.next('heartbeat_ack')).request_id).toBe(`beat_${beat}`);
  }
  await other.settled();
  expect(flooding.frames.filter(({ type }) => type === 'heartbeat_ack')).toHaveLength(199);
  clock.advance(1_000);
  for (let beat = 199; beat < 260; beat += 1) {
    expect((await flooding.next('heartbeat_ack')).request_id).toBe(`beat_${beat}`);
  }
});

test('[CHT-97] a device that opens more sockets gets no more frames through', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock });
  const device = await relay.mint('person');
  const open = () => relay.connect('person', {}, { device });
  const sockets = [await open(), await open(), await open()];
  const acks = (peers: readonly TestPeer[]) =>
    peers.flatMap(({ frames }) => frames.filter(({ type }) => type === 'heartbeat_ack'));
  for (const peer of sockets) for (let beat = 0; beat < 150; beat += 1) peer.send({ type: 'heartbeat' });
  // Three hellos took part of the burst of two hundred.
  await expect.poll(() => acks(sockets).length).toBe(197);
  const other = await relay.connect('person');
  await other.settled();
  const fourth = await relay.connect('person', null, { device });
  fourth.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' });
  await other.settled();
  expect(fourth.frames).toEqual([]);
  expect(acks(sockets)).toHaveLength(197);
  clock.advance(4_000);
  await fourth.next('connection_ack');
  for (const peer of sockets) await expect.poll(() => acks([peer]).length).toBe(150);
});

test('a device has 32 chat sockets, a proxy 8, and the next is refused until one closes', async () => {
  const relay = await startTestRelay();
  for (const [role, most] of [
    ['person', 32],
    ['proxy', 8],
  ] as const) {
    const device = await relay.mint(role);
    const peers = [];
    for (let count = 0; count < most; count += 1) peers.push(await relay.connect(role, null, { device }));
    expect(await statusWith(relay, device.token)).toBe(429);
    expect(await statusWith(relay, (await relay.mint(role)).token)).toBe(101);
    await peers[0]?.close();
    await expect.poll(() => statusWith(relay, device.token)).toBe(101);
  }
});

test('[CHT-15] refuses a frame that is too large or too deep, and closes the socket for one far too large', async () => {
  const relay = await startTestRelay();
  const peer = await relay.connect('person');
  for (const frame of ['x'.repeat(1_048_577), `${'['.repeat(65)}${']'.repeat(65)}`, '['.repeat(1_000_000)]) {
    peer.send(frame);
    expect((await peer.next('connection_error')).code).toBe('invalid_message');
  }
  peer.send('x'.repeat(4 * 1_048_576));
  expect((await peer.closed).code).toBe(1009);
});

test('a frame in very many fragments ends the socket, and one in some does not', async () => {
  const relay = await startTestRelay();
  const peer = await relay.connect('person');
  const text = JSON.stringify({ protocol_version: 1, type: 'heartbeat', request_id: 'in parts' });
  [...text].forEach((part, at) => {
    peer.socket.send(part, { fin: at === text.length - 1 });
  });
  expect((await peer.next('heartbeat_ack')).request_id).toBe('in parts');
  peer.socket.on('error', () => {});
  for (let part = 0; part < 3_000; part += 1) peer.socket.send(' ', { fin: false });
  expect([1008, 1006]).toContain((await peer.closed).code);
  await (await relay.connect('person')).settled();
});

test('an invalid WebSocket frame ends only its socket', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('person');
  const other = await relay.connect('person');
  for (const garbage of ['ff'.repeat(64), '8100', 'c180aabbccdd', '81ffffffffffffffffff']) {
    const socket = dial(relay.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `GET /ws/chat HTTP/1.1\r\nHost: 127.0.0.1:${relay.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await once(socket, 'data');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.resume().write(Buffer.from(garbage, 'hex'));
    await closed;
  }
  await other.settled();
});

test('cuts off a header of megabytes', async () => {
  const relay = await startTestRelay();
  const socket = dial(relay.port, '127.0.0.1');
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (part) => {
    text += String(part);
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${relay.port}\r\nX-Long: ${'x'.repeat(100_000)}`);
  await closed;
  expect(text).not.toContain('200 OK');
});
