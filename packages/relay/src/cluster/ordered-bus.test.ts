import type { AppendEvent } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { systemClock } from '@drawbridge/link';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLocalBus } from '../core/local-bus.ts';
import type { RelayEvent } from '../core/ports.ts';
import { openOrderedBus } from './ordered-bus.ts';

/** A ledger in which a session gets events, with bus messages that may be lost. */
async function startOrdered() {
  const bus = createLocalBus();
  const ledger = openMemoryLedger({ epoch: 'e', synced: [] });
  const append = async (number: number): Promise<RelayEvent> => {
    const write: AppendEvent = {
      do: 'append_event',
      session_id: 's',
      event_id: `e${number}`,
      type: 'message_event',
      payload: { number },
      at: 1,
    };
    const outcome = await ledger.commit([write]);
    if (!outcome.committed) throw new Error('It was refused.');
    const { event_id, type, payload, at } = write;
    const { sequence } = outcome.results[0];
    return { session_id: 's', sequence, event_id, type, payload, at, message_id: null };
  };
  await ledger.commit([{ do: 'create_session', session_id: 's', proxy_device_id: 'p', metadata: {}, at: 1 }]);
  await append(0);
  const notes = await openOrderedBus({
    ...{ bus, ledger, clock: systemClock },
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(notes.close);
  const received: number[] = [];
  notes.bus.onMessage((message) => {
    if (message.kind === 'appended') received.push(...message.events.map(({ sequence }) => sequence));
  });
  const say = (...events: readonly RelayEvent[]) =>
    bus.publish({ kind: 'appended', session_id: 's', events });
  return { bus, ledger, append, notes, received, say };
}

test('delivers each event once and in order, whatever the bus loses, repeats and reorders', async () => {
  const { append, received, say, notes } = await startOrdered();
  const random = createSeededRandom(7);
  const events: RelayEvent[] = [];
  for (let number = 1; number <= 300; number += 1) events.push(await append(number));
  const published = events.flatMap((event) => Array.from({ length: random.int(0, 2) }, () => event));
  for (const event of random.shuffle(published)) say(event);
  await notes.resync();
  await vi.waitUntil(() => received.length >= 300);
  expect(received).toEqual(events.map(({ sequence }) => sequence));
});

test('a heartbeat with a head fills in missed events; other bus messages pass unchanged', async () => {
  const { bus, append, received, notes } = await startOrdered();
  await append(1);
  const { sequence } = await append(2);
  const kinds: string[] = [];
  notes.bus.onMessage(({ kind }) => kinds.push(kind));
  const heads = [{ session_id: 's', head: sequence }];
  bus.publish({ kind: 'heartbeat', node_id: 'n', is_leader: false, heads, left: [], revoked: [] });
  await vi.waitUntil(() => received.length === 2);
  expect(received).toEqual([sequence - 1, sequence]);
  expect(kinds[0]).toBe('heartbeat');
});

test('delivers a session that was deleted and announced again from its first event', async () => {
  const { ledger, append, received, say } = await startOrdered();
  await ledger.deleteSession('s');
  await ledger.commit([{ do: 'create_session', session_id: 's', proxy_device_id: 'p', metadata: {}, at: 1 }]);
  say(await append(1));
  say(await append(2));
  await vi.waitUntil(() => received.length === 2);
  expect(received).toEqual([1, 2]);
});
