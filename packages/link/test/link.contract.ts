import { BridgeError, type BridgeItem, LIMITS } from '@drawbridge/protocol';
import { createSeededRandom } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import type { ItemLink } from '../src/link.ts';
import { type createArrivals, listenTo } from './received-log.ts';

/** A transport between a client and a server that accepts everything. */
export interface Track extends AsyncDisposable {
  readonly client: ItemLink;
  readonly arrivals: ReturnType<typeof createArrivals>;
  /** Breaks the connection now. Absent where there is none. */
  readonly drop?: () => void;
  /** Breaks the connection at random places from now on. */
  readonly dropOften?: (seed: number) => void;
  /** The server forgets all connections, as after a restart. */
  readonly forget?: () => Promise<void>;
}

const COUNT = 1_000;

/** Every kind of item, with fields beyond the schema. */
export const ITEMS: readonly BridgeItem[] = [
  { type: 'runtime_ready', runtime_id: 'r', url: 'https://shop.example/', capabilities: ['a'] },
  { type: 'runtime_status', runtime_id: 'r', states: ['open', 'é \u2028 😀'] },
  { type: 'action_call', call_id: 'c', name: 'cart.add', arguments: { a: [1, null, { b: '"\\' }] } },
  { type: 'action_call_output', call_id: 'c', runtime_id: 'r', output: null },
  { type: 'dom_event', event_id: 'e', runtime_id: 'r', name: 'n', payload: 'drawbridge:{"kind":"bye"}' },
  { type: 'action_error', error: { code: 'x_own_code', message: 'No.', evidence: { deep: [[[]]] } } },
  JSON.parse('{"link":"hello","type":"runtime_status","runtime_id":"r","x_more":{"type":"bye"}}'),
];

const numbered = (from: string, count: number): BridgeItem[] =>
  Array.from({ length: count }, (_, n) => ({
    type: 'dom_event',
    event_id: `${from}-${n}`,
    runtime_id: from,
    name: 'count',
    payload: { n, fill: 'x'.repeat(n % 97) },
  }));

const event = (id: string): BridgeItem => ({
  type: 'dom_event',
  event_id: id,
  runtime_id: 'r',
  name: 'n',
  payload: 1,
});

export function errorOf(run: () => void): BridgeError {
  try {
    run();
  } catch (error) {
    if (error instanceof BridgeError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

export function linkConformance(
  name: string,
  lay: () => Promise<Track>,
  can: { readonly drop: boolean },
): void {
  describe(name, () => {
    test('[BRG-106] [BRG-47] delivers every item unchanged and in order, both ways', async () => {
      await using track = await lay();
      const atClient = listenTo(track.client);
      for (const item of ITEMS) track.client.send(item);
      const { link, received } = await track.arrivals.at(0);
      for (const item of ITEMS.toReversed()) link.send(item);
      await Promise.all([received.count(ITEMS.length), atClient.count(ITEMS.length)]);
      expect(received.items).toEqual(ITEMS);
      expect(atClient.items).toEqual(ITEMS.toReversed());
    });

    test('[BRG-47] keeps the order of a thousand items at once, both ways', async () => {
      await using track = await lay();
      const atClient = listenTo(track.client);
      const up = numbered('up', COUNT);
      const down = numbered('down', COUNT);
      for (const item of up) track.client.send(item);
      const { link, received } = await track.arrivals.at(0);
      for (const item of down) link.send(item);
      await Promise.all([received.count(COUNT), atClient.count(COUNT)]);
      expect(received.items).toEqual(up);
      expect(atClient.items).toEqual(down);
      expect([...received.problems, ...atClient.problems]).toEqual([]);
    });

    test('sends an item as it was, whatever is changed later', async () => {
      await using track = await lay();
      const item = {
        type: 'dom_event',
        event_id: 'e',
        runtime_id: 'r',
        name: 'n',
        payload: { n: 1 },
      } as const;
      track.client.send(item);
      Reflect.set(item.payload, 'n', 2);
      const { received } = await track.arrivals.at(0);
      await received.count(1);
      expect(received.items).toMatchObject([{ payload: { n: 1 } }]);
    });

    test('[BRG-91] refuses an oversized item at the sender and continues', async () => {
      await using track = await lay();
      const huge: BridgeItem = {
        ...ITEMS[0],
        type: 'dom_event',
        event_id: 'e',
        runtime_id: 'r',
        name: 'n',
        payload: 'x'.repeat(LIMITS.frame.value),
      };
      expect(errorOf(() => track.client.send(huge))).toMatchObject({
        code: 'transport_failed',
        evidence: { reason: 'item_too_large', type: 'dom_event', limit: LIMITS.frame.value },
      });
      const { received } = await track.arrivals.at(0);
      track.client.send(event('after'));
      await received.count(1);
      expect(received.items).toEqual([event('after')]);
    });

    test('delivers an item just below the limit', async () => {
      await using track = await lay();
      const large: BridgeItem = {
        type: 'dom_event',
        event_id: 'e',
        runtime_id: 'r',
        name: 'n',
        payload: 'é'.repeat(LIMITS.frame.value - 200),
      };
      track.client.send(large);
      const { received } = await track.arrivals.at(0);
      await received.count(1);
      expect(
        received.items[0] !== undefined && JSON.stringify(received.items[0]) === JSON.stringify(large),
      ).toBe(true);
    });

    test('reports an invalid item as refused and continues', async () => {
      await using track = await lay();
      const atClient = listenTo(track.client);
      const nonsense: BridgeItem[] = [
        JSON.parse('{"type":"nonsense"}'),
        JSON.parse('{"type":"action_call","call_id":7}'),
        JSON.parse('{}'),
      ];
      for (const item of [...nonsense, event('good')]) track.client.send(item);
      const { link, received } = await track.arrivals.at(0);
      for (const item of [...nonsense, event('good')]) link.send(item);
      await Promise.all([received.count(1), atClient.count(1)]);
      for (const end of [received, atClient]) {
        expect(end.items).toEqual([event('good')]);
        expect(end.problems).toMatchObject(
          nonsense.map(() => ({ kind: 'refused', error: { code: 'invalid_input' } })),
        );
      }
    });

    test('[BRG-91] closes both ends once, after earlier items', async () => {
      await using track = await lay();
      const atClient = listenTo(track.client);
      const { link, received } = await track.arrivals.at(0);
      await atClient.state('open');
      track.client.send(event('last'));
      track.client.close();
      track.client.close();
      expect(track.client.state).toMatchObject({ kind: 'closed', reason: 'closed_here' });
      const closed = await received.state('closed');
      expect(closed).toMatchObject({ reason: 'closed_by_peer', error: { code: 'transport_failed' } });
      expect(received.items).toEqual([event('last')]);
      link.close();
      for (const end of [link, track.client]) {
        expect(errorOf(() => end.send(event('late')))).toMatchObject({ code: 'transport_failed' });
      }
      expect(atClient.states.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
      expect(received.states.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
    });

    test('does not retry a server that closed, and delivers its earlier items first', async () => {
      await using track = await lay();
      const atClient = listenTo(track.client);
      const { link } = await track.arrivals.at(0);
      link.send(event('last'));
      link.close();
      await expect(atClient.state('closed')).resolves.toMatchObject({ reason: 'closed_by_peer' });
      expect(atClient.items).toEqual([event('last')]);
    });

    if (can.drop) describe('over a breaking connection', () => breakingLine(lay));
  });
}

function breakingLine(lay: () => Promise<Track>): void {
  test.each([1, 2, 3])('[BRG-107] [BRG-47] loses, duplicates and changes no item (seed %i)', async (seed) => {
    await using track = await lay();
    const random = createSeededRandom(seed);
    const atClient = listenTo(track.client);
    const up = numbered('up', COUNT);
    const down = numbered('down', COUNT);
    const { link, received } = await track.arrivals.at(0);
    await atClient.state('open');
    if (track.dropOften !== undefined) track.dropOften(seed);
    else {
      for (const end of [link, track.client]) {
        end.onItem(() => {
          if (random.chance(0.01)) track.drop?.();
        });
      }
    }
    for (const item of up) track.client.send(item);
    for (const item of down) link.send(item);
    await Promise.all([received.count(COUNT), atClient.count(COUNT)]);
    expect(received.items).toEqual(up);
    expect(atClient.items).toEqual(down);
    expect(atClient.states.filter((state) => state.kind === 'open' && state.resumed).length).toBeGreaterThan(
      0,
    );
    expect([...received.problems, ...atClient.problems]).toEqual([]);
  });

  test('[BRG-107] [BRG-91] reports a dropped link, retries, and resumes the same connection', async () => {
    await using track = await lay();
    const atClient = listenTo(track.client);
    const { link, received } = await track.arrivals.at(0);
    const { connection_id } = await atClient.state('open');
    track.drop?.();
    const waiting = await atClient.state('waiting');
    expect(waiting.error).toMatchObject({ code: 'transport_failed', evidence: { connection_id } });
    track.client.send(event('meanwhile'));
    link.send(event('down'));
    await expect(atClient.state('open', ({ resumed }) => resumed)).resolves.toMatchObject({ connection_id });
    await Promise.all([received.count(1), atClient.count(1)]);
    expect([received.items, atClient.items]).toEqual([[event('meanwhile')], [event('down')]]);
  });

  test('[BRG-91] reports lost items when the server has forgotten the connection', async () => {
    await using track = await lay();
    const atClient = listenTo(track.client);
    const first = await track.arrivals.at(0);
    first.link.send(event('before'));
    await atClient.count(1);
    const forgotten = track.forget?.();
    track.client.send(event('lost'));
    await forgotten;
    const lost = await atClient.problem('lost');
    expect(lost).toMatchObject({ items: [event('lost')], error: { code: 'transport_failed' } });
    await expect(first.received.state('closed')).resolves.toMatchObject({
      error: { code: 'transport_failed' },
    });
    const second = await track.arrivals.at(1);
    const opened = await atClient.state(
      'open',
      ({ connection_id }) => connection_id !== undefined && connection_id === idOf(second.link),
    );
    expect(opened.resumed).toBe(false);
    track.client.send(event('new'));
    second.link.send(event('answer'));
    await Promise.all([second.received.count(1), atClient.count(2)]);
    track.drop?.();
    await atClient.state('open', ({ resumed }) => resumed);
    track.client.send(event('newer'));
    second.link.send(event('second answer'));
    await Promise.all([second.received.count(2), atClient.count(3)]);
    expect(second.received.items).toEqual([event('new'), event('newer')]);
    expect(atClient.items).toEqual([event('before'), event('answer'), event('second answer')]);
    expect(atClient.problems).toHaveLength(1);
  });

  test('[BRG-91] refuses the newest item at a full buffer and keeps the rest', async () => {
    await using track = await lay();
    const atClient = listenTo(track.client);
    const { received } = await track.arrivals.at(0);
    await atClient.state('open');
    track.drop?.();
    await atClient.state('waiting');
    const items = numbered('up', COUNT);
    for (const item of items) track.client.send(item);
    expect(errorOf(() => track.client.send(event('over')))).toMatchObject({
      code: 'transport_failed',
      evidence: { reason: 'buffer_full', unconfirmed: COUNT },
    });
    await received.count(COUNT);
    expect(received.items).toEqual(items);
  });
}

const idOf = ({ state }: ItemLink): string | undefined =>
  state.kind === 'open' ? state.connection_id : undefined;
