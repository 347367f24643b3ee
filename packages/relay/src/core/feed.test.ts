import type { Ledger } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { expect, test } from 'vitest';
import { createLocalBus } from '../../test/core/local-bus.ts';
import { createFeed } from './feed.ts';
import type { RelayEvent } from './ports.ts';

const SESSION = { session_id: 's1', proxy_device_id: 'laptop', metadata: {}, at: 1 } as const;

/** A feed of a session with this many events in the ledger, none of them received yet. */
async function feedOf(events: number, change: (ledger: Ledger) => Partial<Ledger> = () => ({})) {
  const ledger = openMemoryLedger({ epoch: 'e1', synced: [] });
  await ledger.commit([{ do: 'create_session', ...SESSION }]);
  for (let each = 1; each <= events; each += 1) {
    const event = { event_id: `e${each}`, type: 'session_status', payload: {}, at: each } as const;
    await ledger.commit([{ do: 'append_event', session_id: 's1', ...event }]);
  }
  const stored: readonly RelayEvent[] = (await ledger.eventsAfter('s1', 0, events))?.events ?? [];
  const passed: number[] = [];
  const gone: string[] = [];
  const work: Promise<unknown>[] = [];
  const feed = createFeed({
    ledger: { ...ledger, ...change(ledger) },
    bus: createLocalBus(),
    heads: new Map(),
    run: (promise) => work.push(promise),
    after: () => () => {},
    onError: (error) => {
      throw error;
    },
  });
  feed.listen({
    onEvent: ({ sequence }) => passed.push(sequence),
    onGone: (session_id) => gone.push(session_id),
  });
  return { ledger, feed, stored, passed, gone, idle: () => Promise.all(work) };
}

test('[CHT-130] sends each event once when the first commits of a session are answered in any order', async () => {
  const second = Promise.withResolvers<void>();
  const answers = [second.promise, Promise.resolve()];
  const { feed, passed, idle } = await feedOf(0, (ledger) => ({
    commit: async (writes) => {
      const answer = answers.shift();
      const outcome = await ledger.commit(writes);
      await answer;
      return outcome;
    },
  }));
  const write = { do: 'append_event', session_id: 's1', type: 'session_status', payload: {}, at: 1 } as const;
  const commits = ['e1', 'e2'].map((event_id) => feed.commit('s1', [{ ...write, event_id }]));
  await commits[1];
  feed.begin('s1');
  second.resolve();
  await Promise.all([...commits, idle()]);
  expect(passed).toEqual([1, 2]);
});

test('[CHT-294] reads a sequence that another node knows of once, and then reaches it', async () => {
  const { feed, passed } = await feedOf(3);
  await Promise.all([feed.reach('s1', 2), feed.reach('s1', 3)]);
  expect(passed).toEqual([1, 2, 3]);
  expect(feed.reach('s1', 3)).toBeUndefined();
});

test('[CHT-294] does not wait for a sequence that does not exist', async () => {
  const { feed, stored, passed, idle } = await feedOf(2);
  feed.offer(
    's1',
    stored.slice(0, 1).map((event) => ({ ...event, sequence: 50 })),
  );
  await feed.reach('s1', 99);
  await idle();
  expect(passed).toEqual([1, 2]);
  expect(feed.head('s1')).toBe(2);
});

test('reports a session that the ledger no longer has', async () => {
  const { feed, ledger, gone } = await feedOf(1);
  await ledger.deleteSession('s1');
  await feed.reach('s1', 1);
  expect(gone).toEqual(['s1']);
});
