import { expect, test } from 'vitest';
import { event, send, session, task } from '../../test/samples.ts';
import type { Write } from '../writes.ts';
import type { CommitConnection } from './commit-connection.ts';
import { createCommitShards } from './commit-shards.ts';
import { packTransaction } from './packed-transaction.ts';

/** Shards that commit on demand, and their received batches. */
function harness(count: number, options: { maxGroup?: number; maxWaiting?: number } = {}) {
  const batches: { readonly shard: number; readonly ids: readonly string[]; readonly done: () => void }[] =
    [];
  const shards = Array.from(
    { length: count },
    (_, shard): CommitConnection => ({
      commit: (batch) =>
        new Promise((resolve) => {
          const ids = batch.map(({ event_ids }) => event_ids.join());
          batches.push({
            shard,
            ids,
            done: () => resolve(batch.map(() => ({ committed: true as const, results: [] }))),
          });
        }),
    }),
  );
  const limits = { maxGroup: 256, maxWaiting: 99, maxGroupChars: 1e6, timeoutMs: 1e6, now: () => 0 };
  const queue = createCommitShards(shards, { ...limits, ...options });
  const add = (...writes: Write[]) => queue.add(packTransaction(writes, undefined));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { batches, add, queue, turn };
}

test('[CHT-139] transactions that come during a batch share the next one, as many as fit', async () => {
  const { batches, add, turn } = harness(1, { maxGroup: 3 });
  const asked = [add(event('a', 'e1'))];
  await turn();
  for (const id of ['e2', 'e3', 'e4', 'e5']) asked.push(add(event('a', id)));
  await turn();
  for (let index = 0; index < 3; index += 1) {
    batches[index]?.done();
    await turn();
  }
  expect(batches.map(({ ids }) => ids)).toEqual([['e1'], ['e2', 'e3', 'e4'], ['e5']]);
  await Promise.all(asked);
});

test("people's sends go before waiting writes of agents, but not before those of the same session", async () => {
  const { batches, add, turn } = harness(1, { maxGroup: 2 });
  const asked = [add(event('a', 'e1'))];
  await turn();
  for (const id of ['e2', 'e3', 'e4', 'e5']) asked.push(add(event('a', id)));
  asked.push(add(send('b', 'm1')), add(send('a', 'm2')));
  for (let index = 0; index < 4; index += 1) {
    batches[index]?.done();
    await turn();
  }
  expect(batches.map(({ ids }) => ids)).toEqual([
    ['e1'],
    ['accepted-m1', 'e2'],
    ['e3', 'e4'],
    ['e5', 'accepted-m2'],
  ]);
  await Promise.all(asked);
});

test('a session stays in its shard, and others commit concurrently', async () => {
  const { batches, add, turn } = harness(2);
  const names = ['a', 'b', 'c', 'd'];
  for (const id of ['1', '2']) for (const name of names) void add(event(name, `${name}${id}`));
  await turn();
  expect(batches.map(({ shard }) => shard).toSorted()).toEqual([0, 1]);
  for (const name of names) {
    const of = batches
      .map(({ ids }) => ids.filter((id) => id.startsWith(name)))
      .filter((ids) => ids.length > 0);
    expect(of).toEqual([[`${name}1`, `${name}2`]]);
  }
});

test('a transaction that touches several shards waits for each, and later ones wait for it', async () => {
  const { batches, add, turn } = harness(2);
  void add(event('a', 'a1'));
  void add(event('b', 'b1'));
  await turn();
  const [first, second] = batches;
  expect(first?.shard).not.toBe(second?.shard);
  void add(event('a', 'both'), event('b', 'both'));
  void add(event('a', 'a2'));
  void add(event('b', 'b2'));
  first?.done();
  await turn();
  expect(batches).toHaveLength(2);
  second?.done();
  await turn();
  // The committing shard includes later transactions of its queue; the other shard waits for the commit.
  expect(batches).toHaveLength(3);
  expect(batches[2]?.ids[0]).toBe('both,both');
  batches[2]?.done();
  await turn();
  expect(
    batches
      .slice(2)
      .flatMap(({ ids }) => ids)
      .toSorted(),
  ).toEqual(['a2', 'b2', 'both,both']);
});

test('transactions without a session keep their order', async () => {
  const { batches, add, turn } = harness(4);
  void add({ do: 'put_setting', key: 'k', value: 1 });
  void add({ do: 'put_setting', key: 'k', value: 2 });
  void add(session('a'), task('a', 't1', 0));
  await turn();
  expect(batches[0]).toMatchObject({ shard: 0 });
  expect(batches.flatMap(({ ids }) => ids)).toHaveLength(3);
});

test('a read waits for earlier commits of its session, and too many transactions are refused', async () => {
  const { batches, add, queue, turn } = harness(2, { maxWaiting: 2 });
  const asked = add(event('a', 'a1'));
  await turn();
  let isSettled = false;
  const settled = queue.idle('a').then(() => {
    isSettled = true;
  });
  await queue.idle('b');
  expect(isSettled).toBe(false);
  void add(event('a', 'a2'));
  void add(event('a', 'a3'));
  await expect(add(event('a', 'a4'))).rejects.toMatchObject({ code: 'ledger_busy' });
  batches[0]?.done();
  await Promise.all([asked, settled]);
});
