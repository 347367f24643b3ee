import type { LedgerNode } from '@drawbridge/ledger';
import { createFakeClock, createSeededRandom, type FakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { coreClock } from '../../test/server/test-relay.ts';
import { holdLeaderLease, LEASE_TIMES, type Leadership } from './leader-lease.ts';

/** The rule of `hold_lease` on a fake clock; the ledger's own tests race the real one. */
function leaseTable(clock: FakeClock) {
  let held = { node: undefined as LedgerNode | undefined, term: 0, ends: Number.NEGATIVE_INFINITY };
  return {
    hold(node: LedgerNode, ms: number) {
      const isOver = held.ends <= clock.now() || held.node === undefined;
      if (isOver || held.node?.node_id === node.node_id) {
        held = { node, term: held.term + (isOver ? 1 : 0), ends: clock.now() + ms };
      }
      return { leader: held.node ?? node, term: held.term, isOurs: held.node?.node_id === node.node_id };
    },
    release(node_id: string, term: number) {
      if (held.node?.node_id === node_id && held.term === term) held.ends = Number.NEGATIVE_INFINITY;
    },
    /** Nodes whose sessions in the database have ended. */
    dead: new Set<string>(),
    releaseGone(node_id: string, term: number, ms: number) {
      const isGone = this.dead.has(node_id) && held.ends < clock.now() + ms;
      if (isGone) this.release(node_id, term);
      return isGone;
    },
    holder: () => (held.ends > clock.now() ? held.node?.node_id : undefined),
    term: () => held.term,
  };
}

interface Line {
  /** Latency of a request and of its answer; undefined where it fails. */
  readonly delays: () => readonly [there: number, back: number] | undefined;
}

function startLease() {
  const clock = createFakeClock(1_000);
  const table = leaseTable(clock);
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.setTimeout(resolve, ms));
  const join = async (node_id: string, { delays }: Line = { delays: () => [0, 0] }) => {
    const seen: Leadership[] = [];
    const ask = async <Answer>(act: () => Answer): Promise<Answer> => {
      const [there, back] = delays() ?? [];
      if (there === undefined) throw new Error('The line is down.');
      if (there > 0) await pause(there);
      const answer = act();
      if (back !== undefined && back > 0) await pause(back);
      return answer;
    };
    const lease = await holdLeaderLease({
      node: { node_id, url: `http://${node_id}` },
      clock: coreClock(clock),
      monotonic: clock.now,
      ledger: {
        holdLease: (node, ms) => ask(() => table.hold(node, ms)),
        releaseLease: (id, term) => ask(() => table.release(id, term)),
        releaseGone: (id, term, ms) => ask(() => table.releaseGone(id, term, ms)),
      },
      onChange: (keeping) => seen.push(keeping),
      onError: () => {},
    });
    return { lease, seen };
  };
  return { clock, table, join };
}

test('the first to ask becomes the leader, and the others know its address', async () => {
  const { clock, join } = startLease();
  const [a, b] = [await join('a'), await join('b')];
  expect(a.lease.leadership()).toEqual({ kind: 'ours', term: 1 });
  expect(b.lease.leadership()).toEqual({
    ...{ kind: 'theirs', term: 1 },
    leader: { node_id: 'a', url: 'http://a' },
  });
  await clock.advanceAsync(10 * LEASE_TIMES.lease_ms);
  expect([...a.seen, ...b.seen]).toHaveLength(2);
});

test('a released lease is taken at the next round, or at once after a notice', async () => {
  const { clock, join } = startLease();
  const [a, b, c] = [await join('a'), await join('b'), await join('c')];
  await a.lease.close();
  b.lease.renewNow();
  await clock.advanceAsync(0);
  expect(b.lease.leadership()).toEqual({ kind: 'ours', term: 2 });
  await clock.advanceAsync(LEASE_TIMES.round_ms);
  expect(c.lease.leadership()).toMatchObject({ kind: 'theirs', term: 2, leader: { node_id: 'b' } });
  await a.lease.close();
});

test('a leader that cannot renew steps down before another can start', async () => {
  const { clock, table, join } = startLease();
  let isDown = false;
  const a = await join('a', { delays: () => (isDown ? undefined : [0, 0]) });
  const b = await join('b');
  isDown = true;
  const until = LEASE_TIMES.lease_ms - LEASE_TIMES.margin_ms;
  await clock.advanceAsync(until);
  expect(a.lease.leadership()).toEqual({ kind: 'unknown' });
  expect(table.holder()).toBe('a');
  await clock.advanceAsync(LEASE_TIMES.margin_ms + LEASE_TIMES.round_ms);
  expect(b.lease.leadership()).toEqual({ kind: 'ours', term: 2 });
  isDown = false;
  await clock.advanceAsync(LEASE_TIMES.round_ms);
  expect(a.lease.leadership()).toMatchObject({ kind: 'theirs', term: 2 });
});

test('takes the lease of a leader that has died within two rounds, and never that of one that renews', async () => {
  const { clock, table, join } = startLease();
  let isDown = false;
  const a = await join('a', { delays: () => (isDown ? undefined : [0, 0]) });
  const b = await join('b');
  // Behind a connection pooler the leader's sessions have other names.
  table.dead.add('a');
  await clock.advanceAsync(10 * LEASE_TIMES.lease_ms);
  expect(a.lease.leadership()).toEqual({ kind: 'ours', term: 1 });
  isDown = true;
  await clock.advanceAsync(2 * LEASE_TIMES.round_ms);
  expect(b.lease.leadership()).toEqual({ kind: 'ours', term: 2 });
});

test('never resumes a term that it gave up, because its work may still be under way', async () => {
  const { clock, join } = startLease();
  const a = await join('a');
  a.lease.lost(7);
  expect(a.lease.leadership()).toEqual({ kind: 'ours', term: 1 });
  a.lease.lost(1);
  await clock.advanceAsync(2 * LEASE_TIMES.round_ms);
  expect(a.seen).toEqual([{ kind: 'ours', term: 1 }, { kind: 'unknown' }, { kind: 'ours', term: 2 }]);
});

test('ignores an answer that took too long', async () => {
  const { clock, join } = startLease();
  let back = 0;
  const a = await join('a', { delays: () => [0, back] });
  back = LEASE_TIMES.lease_ms;
  await clock.advanceAsync(LEASE_TIMES.round_ms + LEASE_TIMES.lease_ms);
  expect(a.lease.leadership()).toEqual({ kind: 'unknown' });
  back = 0;
  await clock.advanceAsync(2 * LEASE_TIMES.lease_ms);
  expect(a.lease.leadership()).toMatchObject({ kind: 'ours' });
});

test('100 seeded runs of slow and broken connections: never two leaders, never a leader without the lease', async () => {
  let changes = 0;
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = createSeededRandom(seed);
    const { clock, table, join } = startLease();
    const delays = () =>
      random.chance(0.3) ? undefined : ([random.int(0, 3_000), random.int(0, 3_000)] as const);
    const joining = Promise.all(['a', 'b', 'c'].map((id) => join(id, { delays })));
    await clock.advanceAsync(10_000);
    const nodes = await joining;
    for (let step = 0; step < 200; step += 1) {
      await clock.advanceAsync(random.int(1, 400));
      const leases = nodes.flatMap(({ lease }) => {
        const keeping = lease.leadership();
        return keeping.kind === 'ours' ? [keeping.term] : [];
      });
      expect(leases.length, `seed ${seed}`).toBeLessThanOrEqual(1);
      if (leases.length === 1)
        expect([table.holder() !== undefined, table.term()]).toEqual([true, leases[0]]);
    }
    changes += table.term();
  }
  expect(changes).toBeGreaterThan(500);
});
