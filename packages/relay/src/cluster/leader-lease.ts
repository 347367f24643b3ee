import { createMutex } from '@drawbridge/base';
import type { LedgerNode, PostgresLedger } from '@drawbridge/ledger';
import type { CoreClock } from '../core/ports.ts';

/** The current leader, as far as this node may rely on it. */
export type Leadership =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ours'; readonly term: number }
  | { readonly kind: 'theirs'; readonly term: number; readonly leader: LedgerNode };

export interface LeaderLeaseOptions {
  readonly ledger: Pick<PostgresLedger, 'holdLease' | 'releaseLease' | 'releaseGone'>;
  readonly node: LedgerNode;
  readonly clock: Pick<CoreClock, 'after'>;
  /** Milliseconds by a monotonic clock. */
  readonly monotonic: () => number;
  readonly times?: Partial<LeaseTimes>;
  readonly onChange: (leadership: Leadership) => void;
  readonly onError: (error: unknown) => void;
}

export interface LeaseTimes {
  /** Duration of the lease, by the database's clock. */
  readonly lease_ms: number;
  /** Interval at which each node asks for the lease. */
  readonly round_ms: number;
  /** Margin before the lease ends at which its holder steps down, because clocks drift. */
  readonly margin_ms: number;
}

export const LEASE_TIMES: LeaseTimes = { lease_ms: 6_000, round_ms: 500, margin_ms: 1_000 };
/** Rounds without a renewal after which a leader without a session counts as dead. */
const MISSED_ROUNDS = 1.5;

const UNKNOWN: Leadership = { kind: 'unknown' };

/**
 * A node that cannot renew steps down by its own clock, counted from before its last request, so it stops
 * before another node can get the lease. A node that was frozen in between does not notice, but its commits
 * are fenced by their term.
 */
export async function holdLeaderLease(options: LeaderLeaseOptions) {
  const { ledger, node, clock, monotonic, onChange, onError } = options;
  const times = { ...LEASE_TIMES, ...options.times };
  const unrenewed = times.lease_ms - MISSED_ROUNDS * times.round_ms;
  let leadership = UNKNOWN;
  let closed = false;
  let cancelEnd = (): void => {};
  let cancelRound = (): void => {};
  /** Two rounds at once would answer in any order. */
  const inTurn = createMutex();
  /** A term that we gave up: its work may still be under way. */
  let spent: number | undefined;

  const become = (next: Leadership): void => {
    if (isSame(leadership, next)) return;
    if (leadership.kind === 'ours') spent = leadership.term;
    leadership = next;
    onChange(next);
  };

  const ask = async (): Promise<void> => {
    if (closed) return;
    const since = monotonic();
    try {
      let lease = await ledger.holdLease(node, times.lease_ms);
      if (closed) return;
      if (!lease.isOurs && (await ledger.releaseGone(lease.leader.node_id, lease.term, unrenewed))) {
        lease = await ledger.holdLease(node, times.lease_ms);
        if (closed) return;
      }
      if (lease.isOurs && lease.term === spent) {
        // The next round gets a new term, so that the ledger can fence what is left of the last one.
        return await ledger.releaseLease(node.node_id, lease.term);
      }
      const left = times.lease_ms - times.margin_ms - (monotonic() - since);
      cancelEnd();
      // The answer came too late to rely on.
      if (left <= 0) return become(UNKNOWN);
      cancelEnd = clock.after(left, () => become(UNKNOWN));
      const { term, leader } = lease;
      become(lease.isOurs ? { kind: 'ours', term } : { kind: 'theirs', term, leader });
    } catch (error) {
      if (!closed) onError(error);
    }
  };

  const round = async (): Promise<void> => {
    await inTurn(ask);
    if (!closed) cancelRound = clock.after(times.round_ms, () => void round());
  };
  await round();

  return {
    leadership: (): Leadership => leadership,
    /** Asks at once, because the lease was released. */
    renewNow(): void {
      void inTurn(ask);
    },
    /** The ledger fenced a commit of ours: another term has begun. */
    lost(term: number): void {
      if (leadership.kind === 'ours' && leadership.term === term) become(UNKNOWN);
    },
    /** Releases the lease, if it is ours. Idempotent. */
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      cancelEnd();
      cancelRound();
      await inTurn(async () => {});
      const last = leadership;
      leadership = UNKNOWN;
      if (last.kind === 'ours') await ledger.releaseLease(node.node_id, last.term).catch(onError);
    },
  };
}

function isSame(one: Leadership, other: Leadership): boolean {
  if (one.kind === 'unknown' || other.kind === 'unknown') return one.kind === other.kind;
  if (one.kind !== other.kind || one.term !== other.term) return false;
  return one.kind === 'ours' || other.kind === 'ours' || isSameNode(one.leader, other.leader);
}

const isSameNode = (one: LedgerNode, other: LedgerNode): boolean =>
  one.node_id === other.node_id && one.url === other.url;
