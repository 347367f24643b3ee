import { expect, test } from 'vitest';
import {
  appOf,
  connectAppClient,
  connectClient,
  connected,
  connectRaw,
  joined,
  nextEvent,
  publisherOf,
} from '../../test/pusher/pusher-harness.ts';
import { startTestRelay } from '../../test/server/test-relay.ts';
import { createChannels } from './channels.ts';
import { channelAuth } from './signature.ts';

const ROOM = 'presence-room';

async function start() {
  const relay = await startTestRelay();
  const app = await appOf(relay);
  return { relay, app, publisher: publisherOf(app, relay.port) };
}

test('[INT-184] [INT-185] a presence channel reports its members, arrivals and departures', async () => {
  const { relay, app } = await start();
  const one = connectAppClient(relay, app, 'ann', { name: 'Ann' });
  const room = one.subscribe(ROOM);
  const own = nextEvent(room, 'pusher:subscription_succeeded');
  expect(await own).toMatchObject({ count: 1, myID: 'ann', members: { ann: { name: 'Ann' } } });
  const added = nextEvent(room, 'pusher:member_added');
  const [two, twoAgain] = [connectAppClient(relay, app, 'bo'), connectAppClient(relay, app, 'bo')];
  const seen: unknown[] = [];
  for (const event of ['pusher:member_added', 'pusher:member_removed']) {
    room.bind(event, ({ id }: { id: string }) => seen.push([event, id]));
  }
  await joined(two, ROOM);
  expect(await added).toMatchObject({ id: 'bo' });
  const second = twoAgain.subscribe(ROOM);
  expect(await nextEvent(second, 'pusher:subscription_succeeded')).toMatchObject({ count: 2 });
  const typing = new Promise((resolve) =>
    room.bind('client-typing', (data: unknown, more: unknown) => resolve([data, more])),
  );
  second.trigger('client-typing', { on: true });
  expect(await typing).toEqual([{ on: true }, { user_id: 'bo' }]);
  const removed = nextEvent(room, 'pusher:member_removed');
  two.unsubscribe(ROOM);
  await joined(two, 'after-it');
  twoAgain.disconnect();
  expect(await removed).toMatchObject({ id: 'bo' });
  expect(seen).toEqual([
    ['pusher:member_added', 'bo'],
    ['pusher:member_removed', 'bo'],
  ]);
});

test('[INT-184] a presence channel accepts 100 named members, with 2 KB each', async () => {
  const { relay, app } = await start();
  const raw = await connectRaw(relay, app.key);
  const join = async (channel: string, channel_data: string, who = raw) => {
    const auth = channelAuth(app, who.socket_id, channel, channel_data);
    who.send({ event: 'pusher:subscribe', data: { channel, auth, channel_data } });
    return (await who.next()).event;
  };
  const large = (bytes: number) => JSON.stringify({ user_id: 'u', user_info: 'x' }).padEnd(bytes);
  expect(await join(ROOM, '{}')).toBe('pusher:subscription_error');
  expect(await join(ROOM, large(2_049))).toBe('pusher:subscription_error');
  expect(await join(ROOM, large(2_048))).toBe('pusher_internal:subscription_succeeded');

  const channels = createChannels();
  const enter = (socket_id: string, user_id: string) =>
    channels.join(ROOM, { socket_id, send: () => {} }, { user_id });
  for (let at = 0; at < 100; at += 1) expect(enter(`1.${at}`, `u${at}`)).toBeDefined();
  expect(enter('2.1', 'one more')).toBeUndefined();
  expect(enter('2.2', 'u7')).toContain('"count":100');
});

test('[INT-186] subscribers are notified when their number changes', async () => {
  const { relay, app } = await start();
  const [one, two] = [connectClient(relay, app.key), connectClient(relay, app.key)];
  const news = one.subscribe('news');
  const counts: unknown[] = [];
  const reached = (count: number) =>
    new Promise<void>((resolve) =>
      news.bind('pusher:subscription_count', (data: { subscription_count: number }) => {
        if (data.subscription_count === count) resolve();
      }),
    );
  news.bind('pusher:subscription_count', (data: unknown) => counts.push(data));
  await reached(1);
  const both = reached(2);
  await joined(two, 'news');
  await both;
  const alone = reached(1);
  two.unsubscribe('news');
  await alone;
  expect(counts).toEqual([1, 2, 1].map((subscription_count) => ({ subscription_count })));
});

test('[INT-187] a subscriber of a cache channel gets its last event, or a cache miss', async () => {
  const { relay, app, publisher } = await start();
  const [one, two] = [connectClient(relay, app.key), connectClient(relay, app.key)];
  const prices = one.subscribe('cache-prices');
  await nextEvent(prices, 'pusher:cache_miss');
  for (const tea of [1, 2]) await publisher.trigger('cache-prices', 'changed', { tea });
  expect(await nextEvent(two.subscribe('cache-prices'), 'changed')).toEqual({ tea: 2 });
});

test('[INT-190] [INT-191] a signed-in user gets only their own events', async () => {
  const { relay, app, publisher } = await start();
  const client = connectAppClient(relay, app, 'ann');
  const signedIn = new Promise((resolve) => client.bind('pusher:signin_success', resolve));
  client.signin();
  await signedIn;
  await client.user.signinDonePromise;
  const delivered = new Promise((resolve) => client.user.bind('hello', resolve));
  // The client joins its own channel automatically, before this one.
  await joined(client, 'after-it');
  await publisher.sendToUser('ann', 'hello', { n: 1 });
  expect(await delivered).toEqual({ n: 1 });

  const raw = await connectRaw(relay, app.key);
  const subscribe = async (id: string) => {
    raw.send({ event: 'pusher:subscribe', data: { channel: `#server-to-user-${id}`, auth: '' } });
    return (await raw.next()).event;
  };
  expect(await subscribe('bo')).toBe('pusher:subscription_error');
  const signature = publisher.authenticateUser(raw.socket_id, { id: 'bo' });
  raw.send({ event: 'pusher:signin', data: signature });
  expect(await raw.next()).toEqual({
    event: 'pusher:signin_success',
    data: { user_data: signature.user_data },
  });
  expect(await subscribe('ann')).toBe('pusher:subscription_error');
  expect(await subscribe('bo')).toBe('pusher_internal:subscription_succeeded');
  raw.send({ event: 'pusher:signin', data: { ...signature, user_data: '{"id":"ann"}' } });
  expect(await raw.closed).toBe(4009);
});

test('[INT-201] ends every connection of a user, and none of another', async () => {
  const { relay, app, publisher } = await start();
  const [ann, bo] = [connectAppClient(relay, app, 'ann'), connectAppClient(relay, app, 'bo')];
  for (const client of [ann, bo]) {
    const done = new Promise((resolve) => client.bind('pusher:signin_success', resolve));
    client.signin();
    await done;
  }
  const gone = new Promise((resolve) => ann.connection.bind('disconnected', resolve));
  await publisher.terminateUserConnections('ann');
  await gone;
  await connected(bo);
  await joined(bo, 'news');
});

test('[INT-200] the HTTP API lists the channels in use and their members', async () => {
  const { relay, app, publisher } = await start();
  const ann = connectAppClient(relay, app, 'ann');
  for (const channel of [ROOM, 'news', 'private-x']) await joined(ann, channel);
  const get = async (path: string, params = {}) => (await publisher.get({ path, params })).json();
  expect(await get('/channels')).toEqual({ channels: { [ROOM]: {}, news: {}, 'private-x': {} } });
  const rooms = await get('/channels', { filter_by_prefix: 'presence-', info: 'user_count' });
  expect(rooms).toEqual({ channels: { [ROOM]: { user_count: 1 } } });
  const info = 'user_count,subscription_count';
  expect(await get(`/channels/${ROOM}`, { info })).toEqual({
    ...{ occupied: true, user_count: 1, subscription_count: 1 },
  });
  expect(await get('/channels/nobody')).toEqual({ occupied: false });
  expect(await get(`/channels/${ROOM}/users`)).toEqual({ users: [{ id: 'ann' }] });
  await expect(get('/channels/news/users')).rejects.toThrow('400');
  await expect(
    publisherOf({ ...app, secret: 'guess' }, relay.port).get({ path: '/channels' }),
  ).rejects.toThrow('401');
});

test('[INT-192] closes a client that does not read with 4100, and it may reconnect after a pause', async () => {
  const { relay, app } = await start();
  const [slow, fast] = [await connectRaw(relay, app.key), await connectRaw(relay, app.key)];
  for (const raw of [slow, fast]) {
    const [channel, auth] = ['private-session-s', channelAuth(app, raw.socket_id, 'private-session-s')];
    raw.send({ event: 'pusher:subscribe', data: { channel, auth } });
    await raw.next();
  }
  slow.socket.pause();
  const text = 'x'.repeat(100_000);
  for (let at = 0; at < 300; at += 1) {
    relay.pusher.trigger('s', 'new_message', { text });
    await fast.next();
  }
  slow.socket.resume();
  expect(await slow.closed).toBe(4100);
  fast.send({ event: 'pusher:ping' });
  expect(await fast.next()).toMatchObject({ event: 'pusher:pong' });
});
