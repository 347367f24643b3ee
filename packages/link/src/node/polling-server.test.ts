import type { BridgeItem } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { afterEach, expect, test } from 'vitest';
import { createArrivals } from '../../test/received-log.ts';
import { ConnectionHub, type HubOptions, type Peer } from '../connection-hub.ts';
import { createPollingServer } from './polling-server.ts';

const PEER: Peer = { credential_id: 'one', endpoint: 'runtime' };
const URL_OF_ITEMS = 'http://localhost/bridge/runtime/items';

const item = (id: string): BridgeItem => ({
  type: 'dom_event',
  event_id: id,
  runtime_id: 'r',
  name: 'n',
  payload: 1,
});

const open: ConnectionHub[] = [];
afterEach(() => {
  for (const hub of open.splice(0)) hub.close();
});

function setUp(options: Partial<HubOptions> & { maxBodyBytes?: number } = {}) {
  const fake = createFakeClock();
  const arrivals = createArrivals();
  const clock = fake;
  const hub = new ConnectionHub({ clock, onConnection: arrivals.take, ...options });
  open.push(hub);
  const endpoint = createPollingServer({ hub, ...options });
  const answerOf = async (request: Request, peer: Peer) => {
    const response = await endpoint(request, peer);
    return { status: response.status, ...JSON.parse(await response.text()) };
  };
  const postText = (body: string, peer = PEER, query = '') =>
    answerOf(new Request(URL_OF_ITEMS + query, { method: 'POST', body }), peer);
  return {
    fake,
    hub,
    arrivals,
    postText,
    post: (body: unknown, peer = PEER) => postText(JSON.stringify(body), peer),
    get: (query: Record<string, unknown>, peer = PEER, signal?: AbortSignal) => {
      const entries = Object.entries(query).map(([key, value]) => [key, String(value)]);
      const url = `${URL_OF_ITEMS}?${new URLSearchParams(entries)}`;
      return answerOf(new Request(url, signal === undefined ? {} : { signal }), peer);
    },
  };
}

test('[BRG-117] returns a connection_id on the first POST, valid with its credential', async () => {
  const { post, arrivals } = setUp();
  const first = await post({ items: [item('1')] });
  expect(first).toEqual({ status: 200, connection_id: expect.stringMatching(/./), received: 1 });
  const { connection_id } = first;
  expect(await post({ connection_id, items: [item('2')] })).toMatchObject({ connection_id, received: 2 });
  const { received } = await arrivals.at(0);
  expect(received.items).toEqual([item('1'), item('2')]);
});

test.each<Partial<Peer>>([{ credential_id: 'two' }, { endpoint: 'agent' }])(
  '[BRG-117] with another credential or endpoint (%j) the connection_id is nothing',
  async (other) => {
    const { post, get, arrivals } = setUp();
    const { connection_id } = await post({});
    const { link, received } = await arrivals.at(0);
    link.send(item('secret'));
    const unauthenticated = { ...PEER, ...other };
    expect(await post({ connection_id, items: [item('1')] }, unauthenticated)).toMatchObject({ status: 404 });
    expect(await post({ connection_id, close: true }, unauthenticated)).toMatchObject({ status: 404 });
    expect(await get({ connection_id, after: 0 }, unauthenticated)).toMatchObject({ status: 404 });
    link.close();
    expect(await get({ connection_id, after: 0 }, unauthenticated)).toMatchObject({ status: 404 });
    expect(received.items).toEqual([]);
  },
);

test('[BRG-117] opens a new connection for each first POST', async () => {
  const { post, hub } = setUp();
  const ids = [await post({}), await post([]), await post(item('1'))].map(
    ({ connection_id }) => connection_id,
  );
  expect(new Set(ids).size).toBe(3);
  expect(hub.size).toBe(3);
});

test('[BRG-118] returns items after a number in order, and the same ones on repeat', async () => {
  const { post, get, arrivals } = setUp();
  const { connection_id } = await post({});
  const { link } = await arrivals.at(0);
  for (const id of ['1', '2', '3']) link.send(item(id));
  const all = { status: 200, items: ['1', '2', '3'].map(item), last: 3, closed: false };
  expect(await get({ connection_id, after: 0 })).toEqual(all);
  expect(await get({ connection_id, after: 0 })).toEqual(all);
  expect(await get({ connection_id, after: 0, limit: 2 })).toEqual({
    ...all,
    items: ['1', '2'].map(item),
    last: 2,
  });
  const rest = { ...all, items: [item('3')] };
  expect(await get({ connection_id, after: 2 })).toEqual(rest);
  expect(await get({ connection_id, after: 2 })).toEqual(rest);
});

test('[BRG-118] refuses a number that is already confirmed or was never sent', async () => {
  const { post, get, arrivals } = setUp();
  const { connection_id } = await post({});
  const { link } = await arrivals.at(0);
  for (const id of ['1', '2']) link.send(item(id));
  await get({ connection_id, after: 1 });
  expect(await get({ connection_id, after: 0 })).toMatchObject({
    status: 409,
    error: { code: 'transport_failed' },
  });
  expect(await get({ connection_id, after: 3 })).toMatchObject({ status: 409 });
  expect(await get({ connection_id, after: 1 })).toMatchObject({ items: [item('2')] });
});

test('[BRG-118] waits on a GET for the next item, up to a limit', async () => {
  const { post, get, arrivals, fake } = setUp();
  const { connection_id } = await post({});
  const { link } = await arrivals.at(0);
  const waiting = get({ connection_id, after: 0 });
  await fake.advanceAsync(19_999);
  link.send(item('1'));
  expect(await waiting).toMatchObject({ items: [item('1')], last: 1 });
  const empty = get({ connection_id, after: 1, wait_ms: 3_000_000 });
  await fake.advanceAsync(20_000);
  expect(await empty).toEqual({ status: 200, items: [], last: 1, closed: false });
  expect(await get({ connection_id, after: 1, wait_ms: 1 }, PEER, AbortSignal.abort())).toMatchObject({
    items: [],
  });
});

test('replaces a waiting GET with a newer one', async () => {
  const { post, get, arrivals, fake } = setUp();
  const { connection_id } = await post({});
  const { link } = await arrivals.at(0);
  const older = get({ connection_id, after: 0 });
  await fake.advanceAsync(0);
  const newer = get({ connection_id, after: 0 });
  expect(await older).toMatchObject({ items: [] });
  link.send(item('1'));
  expect(await newer).toMatchObject({ items: [item('1')] });
});

test('[BRG-107] ignores a repeated POST, and one after a gap', async () => {
  const { post, arrivals } = setUp();
  const { connection_id } = await post({});
  const two = { connection_id, after: 0, items: [item('1'), item('2')] };
  expect(await post(two)).toMatchObject({ received: 2 });
  expect(await post(two)).toMatchObject({ received: 2 });
  expect(await post({ connection_id, after: 1, items: [item('2'), item('3')] })).toMatchObject({
    received: 3,
  });
  expect(await post({ connection_id, after: 4, items: [item('5')] })).toMatchObject({ received: 3 });
  expect(await post({ connection_id, after: 3, items: [item('4')] })).toMatchObject({ received: 4 });
  const { received } = await arrivals.at(0);
  expect(received.items).toEqual(['1', '2', '3', '4'].map(item));
});

test('counts and refuses an invalid item, and takes the others of its POST', async () => {
  const { post, arrivals } = setUp();
  expect(await post({ items: [item('1'), { type: 'nonsense' }, 7, null, item('2')] })).toMatchObject({
    received: 5,
  });
  const { received } = await arrivals.at(0);
  expect(received.items).toEqual([item('1'), item('2')]);
  expect(received.problems).toHaveLength(3);
});

test.each(['garbage', '7', 'null', '{"items":7}', '{"after":-1}', '{"after":"1"}', '{"connection_id":7}'])(
  'the body %s is refused and opens nothing',
  async (text) => {
    const { postText, hub } = setUp();
    expect(await postText(text)).toMatchObject({ status: 400, error: { code: 'transport_failed' } });
    expect(hub.size).toBe(0);
  },
);

test('refuses an oversized body, a wrong number and a wrong method', async () => {
  const { postText, post, get } = setUp({ maxBodyBytes: 100 });
  expect(await postText(`["${'x'.repeat(100)}"]`)).toMatchObject({ status: 413 });
  const { connection_id } = await post({});
  for (const after of ['-1', 'x', '1.5', ''])
    expect(await get({ connection_id, after })).toMatchObject({ status: 400 });
  expect(await get({ connection_id, limit: 0 })).toMatchObject({ status: 400 });
});

test('refuses endless nesting as an item', async () => {
  const { postText, arrivals } = setUp();
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(await postText(`{"items":[${deep},${JSON.stringify(item('1'))}]}`)).toMatchObject({ received: 2 });
  const { received } = await arrivals.at(0);
  expect(received.items).toEqual([item('1')]);
});

test('[BRG-91] closes the connection of a peer that stops polling, and reports its items as lost', async () => {
  const { post, get, arrivals, fake, hub } = setUp({ retainMs: 1_000 });
  const { connection_id } = await post({});
  const { link, received } = await arrivals.at(0);
  await fake.advanceAsync(999);
  await get({ connection_id, after: 0, wait_ms: 1 }, PEER, AbortSignal.abort());
  link.send(item('1'));
  await fake.advanceAsync(999);
  expect(link.state.kind).toBe('open');
  await fake.advanceAsync(1);
  expect(link.state).toMatchObject({ kind: 'closed', reason: 'expired' });
  expect(received.problems).toMatchObject([{ kind: 'lost', items: [item('1')] }]);
  expect(hub.size).toBe(0);
  expect(await get({ connection_id, after: 0 })).toMatchObject({ status: 404 });
});

test('refuses too many connections of one credential', async () => {
  const { post } = setUp({ maxConnections: 2 });
  await post({});
  await post({});
  expect(await post({})).toMatchObject({ status: 429 });
  expect(await post({}, { ...PEER, credential_id: 'two' })).toMatchObject({ status: 200 });
});
