import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { appOf, askAuth, closeCode, connectRaw } from '../../test/pusher/pusher-harness.ts';
import { startTestRelay } from '../../test/server/test-relay.ts';
import { channelAuth, signedQuery } from './signature.ts';

const NOW = 1_697_097_600_000;

async function start() {
  const clock = createFakeClock(NOW);
  const relay = await startTestRelay({ clock });
  return { relay, clock, app: await appOf(relay) };
}

test('[INT-177] closes an unknown key with 4001, a wrong protocol version with 4006 to 4008', async () => {
  const { relay, app } = await start();
  expect(await closeCode(relay, '/app/nobody?protocol=7')).toBe(4001);
  expect(await closeCode(relay, `/app/${app.key}/more?protocol=7`)).toBe(4001);
  expect(await closeCode(relay, `/app/${app.key}`)).toBe(4008);
  expect(await closeCode(relay, `/app/${app.key}?protocol=seven`)).toBe(4006);
  expect(await closeCode(relay, `/app/${app.key}?protocol=4`)).toBe(4007);
});

test('[INT-178] answers a ping with a pong', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  raw.send({ event: 'pusher:ping', data: {} });
  expect(await raw.next()).toEqual({ event: 'pusher:pong', data: {} });
});

test('[INT-179] pings an idle connection, and closes it with 4201 when nothing comes', async () => {
  const { relay, clock, app } = await start();
  const [alive, dead] = [await connectRaw(relay, app.key), await connectRaw(relay, app.key)];
  for (const raw of [alive, dead]) {
    raw.send({ event: 'pusher:subscribe', data: { channel: 'news' } });
    await raw.next();
  }
  clock.advance(120_000);
  for (const raw of [alive, dead]) expect(await raw.next()).toEqual({ event: 'pusher:ping', data: {} });
  alive.send({ event: 'pusher:pong' });
  alive.send({ event: 'pusher:ping' });
  await alive.next();
  clock.advance(30_000);
  expect(await dead.closed).toBe(4201);
  alive.send({ event: 'pusher:ping' });
  expect(await alive.next()).toEqual({ event: 'pusher:pong', data: {} });
});

test('[INT-180] a public channel needs no auth', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  raw.send({ event: 'pusher:subscribe', data: { channel: 'news', auth: '' } });
  expect(await raw.next()).toEqual({
    event: 'pusher_internal:subscription_succeeded',
    channel: 'news',
    data: '{}',
  });
});

test('[INT-181] [INT-182] a private channel is joined with its own signature only', async () => {
  const { relay, app } = await start();
  const [raw, other] = [await connectRaw(relay, app.key), await connectRaw(relay, app.key)];
  const channel = 'private-room';
  const subscribe = (data: object) => raw.send({ event: 'pusher:subscribe', data: { channel, ...data } });
  const refusals = [
    {},
    { auth: '' },
    { auth: 'nonsense' },
    { auth: channelAuth(app, other.socket_id, channel) },
    { auth: channelAuth(app, raw.socket_id, 'private-other') },
    { auth: channelAuth({ ...app, secret: 'guess' }, raw.socket_id, channel) },
    { auth: channelAuth({ ...app, key: 'other' }, raw.socket_id, channel) },
    { auth: channelAuth(app, raw.socket_id, channel), channel_data: '{}' },
  ];
  for (const data of refusals) {
    subscribe(data);
    expect(await raw.next()).toMatchObject({
      event: 'pusher:subscription_error',
      channel,
      data: { type: 'AuthError', error: expect.any(String), status: 401 },
    });
  }
  for (const more of [[], ['{"a":1}']]) {
    const [channel_data] = more;
    subscribe({ auth: channelAuth(app, raw.socket_id, channel, ...more), channel_data });
    expect(await raw.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded', channel });
  }
});

test('[INT-188] a client event reaches the other subscribers of a private channel, and no others', async () => {
  const { relay, app } = await start();
  const [one, two] = [await connectRaw(relay, app.key), await connectRaw(relay, app.key)];
  const channel = 'private-room';
  const typing = { event: 'client-typing', channel, data: { on: true } };
  one.send(typing);
  expect(await one.next()).toMatchObject({ event: 'pusher:error' });
  for (const raw of [one, two]) {
    const auth = channelAuth(app, raw.socket_id, channel);
    raw.send({ event: 'pusher:subscribe', data: { channel, auth } });
    raw.send({ event: 'pusher:subscribe', data: { channel: 'news' } });
    for (const _ of [1, 2]) await raw.next();
  }
  one.send(typing);
  expect(await two.next()).toEqual({ ...typing, data: '{"on":true}' });
  for (const refused of [
    { ...typing, channel: 'news' },
    { ...typing, event: 'new_message' },
  ]) {
    one.send(refused);
    expect(await one.next()).toMatchObject({ event: 'pusher:error' });
  }
  two.send({ event: 'pusher:ping' });
  expect(await two.next()).toMatchObject({ event: 'pusher:pong' });
});

test('[INT-189] too many client events get 4301, and the connection stays open', async () => {
  const { relay, clock, app } = await start();
  const raw = await connectRaw(relay, app.key);
  const channel = 'private-room';
  raw.send({ event: 'pusher:subscribe', data: { channel, auth: channelAuth(app, raw.socket_id, channel) } });
  await raw.next();
  const burst = () => {
    for (let at = 0; at < 10; at += 1) raw.send({ event: 'client-x', channel, data: {} });
  };
  burst();
  raw.send({ event: 'client-x', channel, data: {} });
  expect(await raw.next()).toMatchObject({ event: 'pusher:error', data: { code: 4301 } });
  clock.advance(1_000);
  burst();
  raw.send({ event: 'pusher:ping' });
  expect(await raw.next()).toMatchObject({ event: 'pusher:pong' });
});

test('[INT-301] null for auth or channel_data is as absent: every subscription has an outcome', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  const subscribe = (data: object) => raw.send({ event: 'pusher:subscribe', data });
  subscribe({ channel: 'news', auth: null, channel_data: null });
  expect(await raw.next()).toMatchObject({
    event: 'pusher_internal:subscription_succeeded',
    channel: 'news',
  });
  const channel = 'private-room';
  subscribe({ channel, auth: null, channel_data: null });
  expect(await raw.next()).toMatchObject({ event: 'pusher:subscription_error', channel });
  subscribe({ channel, auth: channelAuth(app, raw.socket_id, channel), channel_data: null });
  expect(await raw.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded', channel });
  subscribe({
    channel: 'presence-room',
    auth: channelAuth(app, raw.socket_id, 'presence-room'),
    channel_data: null,
  });
  expect(await raw.next()).toMatchObject({ event: 'pusher:subscription_error', channel: 'presence-room' });
});

test('[INT-302] a user whose id is a number is signed in', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  const user_data = '{"id":42}';
  const auth = channelAuth(app, raw.socket_id, '', 'user', '', user_data);
  raw.send({ event: 'pusher:signin', data: { auth, user_data } });
  expect(await raw.next()).toEqual({ event: 'pusher:signin_success', data: { user_data } });
  raw.send({ event: 'pusher:subscribe', data: { channel: '#server-to-user-42', auth: '' } });
  expect(await raw.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded' });
});

test('[INT-303] a refused client event has a code, and so has one above 10 KB', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  const channel = 'private-room';
  raw.send({ event: 'pusher:subscribe', data: { channel, auth: channelAuth(app, raw.socket_id, channel) } });
  await raw.next();
  const events = [
    { event: 'typing', channel, data: {} },
    { event: 'client-typing', channel: 'news', data: {} },
    { event: 'client-typing', channel, data: 'x'.repeat(10_241) },
  ];
  for (const event of events) {
    raw.send(event);
    expect(await raw.next()).toMatchObject({ event: 'pusher:error', data: { code: 4301 } });
  }
  raw.send({ event: 'client-typing', channel, data: 'x'.repeat(10_240) });
  raw.send({ event: 'pusher:ping' });
  expect(await raw.next()).toMatchObject({ event: 'pusher:pong' });
});

test('[INT-304] ten refused subscriptions in ten seconds are answered, the next closes with 4100', async () => {
  const { relay, clock, app } = await start();
  const raw = await connectRaw(relay, app.key);
  const guess = () =>
    raw.send({ event: 'pusher:subscribe', data: { channel: 'private-room', auth: 'guess' } });
  for (const _ of [1, 2]) {
    for (let at = 0; at < 10; at += 1) {
      guess();
      expect(await raw.next()).toMatchObject({ event: 'pusher:subscription_error' });
    }
    clock.advance(10_000);
  }
  for (let at = 0; at < 11; at += 1) guess();
  expect(await raw.closed).toBe(4100);
});

test('[INT-318] a device that is refused ten times in ten seconds has to wait', async () => {
  const { relay, clock } = await start();
  const device = await relay.mint('person');
  const ask = () => askAuth(relay, device, { socket_id: '1.2', channel_name: 'private-session-gone' });
  for (let at = 0; at < 10; at += 1) expect((await ask()).status).toBe(403);
  const limited = await ask();
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '10']);
  clock.advance(10_000);
  expect((await ask()).status).toBe(403);
});

test('an unreadable frame gets an error, and the connection stays open; a hundred channels are the limit', async () => {
  const { relay, clock, app } = await start();
  const raw = await connectRaw(relay, app.key);
  const broken = ['{', '[]', { event: 'pusher:nothing' }];
  for (const frame of [...broken, `{"event":"pusher:ping"}${' '.repeat(205_000)}`]) {
    raw.send(frame);
    expect(await raw.next()).toMatchObject({ event: 'pusher:error', data: { message: expect.any(String) } });
  }
  for (let at = 0; at < 100; at += 1) {
    raw.send({ event: 'pusher:subscribe', data: { channel: `news-${at}` } });
    expect(await raw.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded' });
  }
  raw.send({ event: 'pusher:subscribe', data: { channel: 'one-more' } });
  expect(await raw.next()).toMatchObject({ event: 'pusher:subscription_error' });
  for (let at = 0; at < 200; at += 1) raw.send({ event: 'pusher:ping' });
  clock.advance(5_000);
  for (let at = 0; at < 200; at += 1) expect(await raw.next()).toMatchObject({ event: 'pusher:pong' });
});

test('[INT-202] [INT-203] [INT-204] a missing or wrong signature gets 401 and delivers nothing', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  raw.send({ event: 'pusher:subscribe', data: { channel: 'news' } });
  await raw.next();
  const path = `/apps/${app.app_id}/events`;
  const body = JSON.stringify({ name: 'e', channels: ['news'], data: '{}' });
  const call = { method: 'POST', path, body, now: NOW };
  const post = async (query: string, sent = body, at = path) =>
    (await fetch(`${relay.url}${at}?${query}`, { method: 'POST', body: sent })).status;
  const good = signedQuery(app, call);
  const without = (name: string) => {
    const query = new URLSearchParams(good);
    query.delete(name);
    return query.toString();
  };
  const bad = [
    '',
    ...['auth_key', 'auth_timestamp', 'auth_version', 'body_md5', 'auth_signature'].map(without),
    signedQuery({ ...app, secret: 'guess' }, call),
    signedQuery({ ...app, key: 'other' }, call),
    signedQuery(app, { ...call, path: '/apps/1/events' }),
    signedQuery(app, { ...call, method: 'GET' }),
    signedQuery(app, { ...call, now: NOW - 601_000 }),
    signedQuery(app, { ...call, now: NOW + 601_000 }),
    `${good}&more=1`,
  ];
  for (const query of bad) expect(await post(query), query).toBe(401);
  expect(await post(good, body.replace('"e"', '"f"'))).toBe(401);
  expect(await post(signedQuery(app, { ...call, path: '/apps/0/events' }), body, '/apps/0/events')).toBe(404);
  raw.send({ event: 'pusher:ping' });
  expect(await raw.next()).toMatchObject({ event: 'pusher:pong' });
  for (const now of [NOW, NOW - 599_000, NOW + 599_000]) {
    expect(await post(signedQuery(app, { ...call, now }))).toBe(200);
    expect(await raw.next()).toEqual({ event: 'e', channel: 'news', data: '{}' });
  }
});

test('[INT-205] data over 100 KB gets 413, a body that breaks a rule 400, and nothing is delivered', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  raw.send({ event: 'pusher:subscribe', data: { channel: 'news' } });
  await raw.next();
  const post = async (end: string, message: object) => {
    const path = `/apps/${app.app_id}/${end}`;
    const body = JSON.stringify(message);
    const query = signedQuery(app, { method: 'POST', path, body, now: NOW });
    return (await fetch(`${relay.url}${path}?${query}`, { method: 'POST', body })).status;
  };
  const [most, more] = ['x'.repeat(102_400), 'x'.repeat(102_401)];
  expect(await post('events', { name: 'e', channels: ['news'], data: more })).toBe(413);
  const small = { name: 'e', channel: 'news', data: '' };
  expect(await post('batch_events', { batch: [small, { ...small, data: more }] })).toBe(413);
  expect(await post('events', { name: 'e', channels: [], data: '' })).toBe(400);
  expect(await post('batch_events', { batch: Array(11).fill(small) })).toBe(400);
  expect(await post('events', { name: 'e', channels: ['news'], data: most })).toBe(200);
  expect(await raw.next()).toEqual({ event: 'e', channel: 'news', data: most });
});
