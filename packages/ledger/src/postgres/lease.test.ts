import { createSeededRandom } from '@drawbridge/testbed';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openForTest, postgresHarness } from '../../test/postgres/postgres-harness.ts';
import { event, session } from '../../test/samples.ts';
import { packTransaction } from './packed-transaction.ts';

const ROUNDS = Number(process.env['DRAWBRIDGE_LEASE_ROUNDS'] ?? 8);
const LONG_MS = 600_000;
const harness = postgresHarness();
const node = (node_id: string) => ({ node_id, url: `http://${node_id}.test` });

test('the lease has one holder, who keeps it by renewing, and the next term begins after its release', async () => {
  const url = await harness.ledgerUrl();
  const [one, two] = [await openForTest({ url }), await openForTest({ url })];
  expect(await one.holdLease(node('n1'), LONG_MS)).toEqual({ leader: node('n1'), term: 1, isOurs: true });
  expect(await two.holdLease(node('n2'), LONG_MS)).toEqual({ leader: node('n1'), term: 1, isOurs: false });
  expect(await one.holdLease(node('n1'), LONG_MS)).toMatchObject({ term: 1, isOurs: true });
  expect(await two.nodes()).toEqual([node('n1'), node('n2')]);
  await two.releaseLease('n2', 1);
  await one.releaseLease('n1', 9);
  expect(await two.holdLease(node('n2'), LONG_MS)).toMatchObject({ isOurs: false });
  await one.releaseLease('n1', 1);
  expect(await two.holdLease(node('n2'), LONG_MS)).toEqual({ leader: node('n2'), term: 2, isOurs: true });
});

test('an expired lease is free, and its last holder also begins a new term', async () => {
  const ledger = await openForTest({ url: await harness.ledgerUrl() });
  expect(await ledger.holdLease(node('n1'), 0)).toMatchObject({ term: 1, isOurs: true });
  expect(await ledger.nodes()).toEqual([]);
  expect(await ledger.holdLease(node('n1'), 0)).toMatchObject({ term: 2, isOurs: true });
  expect(await ledger.holdLease(node('n2'), LONG_MS)).toMatchObject({ term: 3, isOurs: true });
});

test('releases the lease of a node whose sessions have ended, unless it was just renewed', async () => {
  const url = await harness.ledgerUrl();
  const [one, two] = [await openForTest({ url, node_id: 'n1' }), await openForTest({ url, node_id: 'n2' })];
  await one.holdLease(node('n1'), LONG_MS);
  expect(await two.releaseGone('n1', 1, 2 * LONG_MS)).toBe(false);
  await one.close();
  expect(await two.releaseGone('n1', 1, LONG_MS / 2)).toBe(false);
  await expect.poll(() => two.releaseGone('n1', 1, 2 * LONG_MS)).toBe(true);
  expect(await two.holdLease(node('n2'), LONG_MS)).toMatchObject({ term: 2, isOurs: true });
});

test('one of several nodes that ask for a free lease at once gets it, and all see which', async () => {
  const url = await harness.ledgerUrl();
  const ledgers = await Promise.all(['n1', 'n2', 'n3'].map(async () => openForTest({ url })));
  const random = createSeededRandom(11);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const order = random.shuffle([0, 1, 2]);
    const leases = await Promise.all(
      order.map(async (index) => ledgers[index]?.holdLease(node(`n${index}`), LONG_MS)),
    );
    expect(leases.filter((lease) => lease?.isOurs)).toHaveLength(1);
    expect(new Set(leases.map((lease) => `${lease?.leader.node_id} ${lease?.term}`)).size).toBe(1);
    expect(leases[0]?.term).toBe(round);
    await ledgers[0]?.releaseLease(leases[0]?.leader.node_id ?? '', round);
  }
});

test('fences commits of an earlier leader, beside others in the same batch that succeed', async () => {
  const url = await harness.ledgerUrl();
  const [old, next] = [await openForTest({ url, shards: 1 }), await openForTest({ url })];
  await old.holdLease(node('n1'), 0);
  const leader = old.fenced(1);
  expect(await leader.commit([session('a'), event('a', 'e1')])).toMatchObject({ committed: true });
  await next.holdLease(node('n2'), LONG_MS);
  const answers = await Promise.allSettled([
    leader.commit([event('a', 'stale')]),
    old.commit([event('a', 'unfenced')]),
    leader.commit([{ do: 'put_setting', key: 'stale', value: true }]),
    next.fenced(2).commit([event('a', 'new')]),
    leader.deleteSession('a'),
  ]);
  expect(answers).toMatchObject([
    { status: 'rejected', reason: { code: 'ledger_fenced' } },
    { status: 'fulfilled', value: { committed: true } },
    { status: 'rejected', reason: { code: 'ledger_fenced' } },
    { status: 'fulfilled', value: { committed: true } },
    { status: 'rejected', reason: { code: 'ledger_fenced' } },
  ]);
  const ids = (await next.eventsAfter('a', 0, 9))?.events.map(({ event_id }) => event_id);
  expect(ids?.toSorted()).toEqual(['e1', 'new', 'unfenced']);
  expect(await next.setting('stale')).toBeUndefined();
  await leader.close();
  await expect(leader.session('a')).rejects.toMatchObject({ code: 'ledger_closed' });
  expect(await old.session('a')).toMatchObject({ head: 3 });
});

test('a new term begins only after the commits under way of the last one', async () => {
  const url = await harness.ledgerUrl();
  const [old, next] = [await openForTest({ url }), await openForTest({ url })];
  await old.commit([session('a')]);
  await old.holdLease(node('n1'), 0);
  // A leader that was frozen in the middle of a commit, with its connection alive.
  const stopped = postgres(url, { max: 1, connection: { search_path: 'drawbridge' } });
  onTestFinished(() => stopped.end());
  const text = packTransaction([event('a', 'late')], 1).text;
  let taking: Promise<unknown> | undefined;
  const seen: string[] = [];
  await stopped.begin(async (sql) => {
    const batch = `{"sessions":["a"],"house":false,"fenced":true,"transactions":[${text}]}`;
    await sql`SELECT commit_batch(gen_random_uuid(), 1, ${batch})`;
    taking = next.holdLease(node('n2'), LONG_MS).then(({ term }) => seen.push(`term ${term}`));
    const isWaiting = async () =>
      (await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`).length;
    await expect.poll(isWaiting).toBe(1);
    seen.push('committed');
  });
  await taking;
  expect(seen).toEqual(['committed', 'term 2']);
  expect(await next.session('a')).toMatchObject({ head: 1 });
  await expect(old.fenced(1).commit([event('a', 'too late')])).rejects.toMatchObject({
    code: 'ledger_fenced',
  });
});
