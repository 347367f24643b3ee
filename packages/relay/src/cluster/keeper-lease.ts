import type { CoreClock } from '../core/ports.ts';
import type { LedgerNode } from '../ledger/postgres/lease.ts';
import type { PostgresLedger } from '../ledger/postgres/postgres-ledger.ts';

/** The current leader, as far as this node may rely on it. */
export type Keeping =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ours'; readonly term: number }
  | { readonly kind: 'theirs'; readonly term: number; readonly keeper: LedgerNode };

export interface KeeperLeaseOptions {
  readonly ledger: Pick<PostgresLedger, 'holdLease' | 'releaseLease'>;
  readonly node: LedgerNode;
  readonly clock: Pick<CoreClock, 'after'>;
  /** Milliseconds by a monotonic clock. */
  readonly monotonic: () => number;
  readonly times?: Partial<LeaseTimes>;
  readonly onChange: (keeping: Keeping) => void;
  readonly onFault: (error: unknown) => void;
}

export interface LeaseTimes {
  /** Duration of the lease, by the database's clock. */
  readonly lease_ms: number;
  /** Interval at which each node asks for the lease. */
  readonly round_ms: number;
  /** Margin before the lease ends at which its holder steps down, because clocks drift. */
  readonly margin_ms: number;
}

export const LEASE_TIMES: LeaseTimes = { lease_ms: 6_000, round_ms: 1_000, margin_ms: 1_000 };

export interface KeeperLease {
  readonly keeping: () => Keeping;
  /** Asks at once, because the lease was released. */
  readonly hurry: () => void;
  /** The ledger fenced a commit of ours: another term has begun. */
  readonly lost: (term: number) => void;
  /** Releases the lease, if it is ours. Idempotent. */
  readonly close: () => Promise<void>;
}

const UNKNOWN: Keeping = { kind: 'unknown' };

/**
 * A node that cannot renew steps down by its own clock, counted from before its last request, so it stops
 * before another node can get the lease. A node that was frozen in between does not notice, but its commits
 * are fenced by their term.
 */
export async function holdKeeperLease(options: KeeperLeaseOptions): Promise<KeeperLease> {
  const { ledger, node, clock, monotonic, onChange, onFault } = options;
  const times = { ...LEASE_TIMES, ...options.times };
  let keeping = UNKNOWN;
  let closed = false;
  let callOffEnd = (): void => {};
  let callOffRound = (): void => {};
  let asking = Promise.resolve();
  /** A term that we gave up: its work may still be under way. */
  let spent: number | undefined;

  const become = (next: Keeping): void => {
    if (isSame(keeping, next)) return;
    if (keeping.kind === 'ours') spent = keeping.term;
    keeping = next;
    onChange(next);
  };

  const ask = async (): Promise<void> => {
    const since = monotonic();
    try {
      const lease = await ledger.holdLease(node, times.lease_ms);
      if (closed) return;
      if (lease.isOurs && lease.term === spent) {
        // The next round gets a new term, so that the ledger can fence what is left of the last one.
        return await ledger.releaseLease(node.node_id, lease.term);
      }
      const left = times.lease_ms - times.margin_ms - (monotonic() - since);
      callOffEnd();
      // The answer came too late to rely on.
      if (left <= 0) return become(UNKNOWN);
      callOffEnd = clock.after(left, () => become(UNKNOWN));
      const { term, keeper } = lease;
      become(lease.isOurs ? { kind: 'ours', term } : { kind: 'theirs', term, keeper });
    } catch (error) {
      if (!closed) onFault(error);
    }
  };

  const round = (): void => {
    callOffRound();
    asking = ask().finally(() => {
      if (!closed) callOffRound = clock.after(times.round_ms, round);
    });
  };
  round();
  await asking;

  return {
    keeping: () => keeping,
    hurry() {
      // Waits for the round under way, because two at once would answer in any order.
      asking = asking.then(() => (closed ? undefined : ask()));
    },
    lost(term) {
      if (keeping.kind === 'ours' && keeping.term === term) become(UNKNOWN);
    },
    async close() {
      if (closed) return;
      closed = true;
      callOffEnd();
      callOffRound();
      await asking;
      const last = keeping;
      keeping = UNKNOWN;
      if (last.kind === 'ours') await ledger.releaseLease(node.node_id, last.term).catch(onFault);
    },
  };
}

function isSame(one: Keeping, other: Keeping): boolean {
  if (one.kind === 'unknown' || other.kind === 'unknown') return one.kind === other.kind;
  if (one.kind !== other.kind || one.term !== other.term) return false;
  return one.kind === 'ours' || other.kind === 'ours' || isSameNode(one.keeper, other.keeper);
}

const isSameNode = (one: LedgerNode, other: LedgerNode): boolean =>
  one.node_id === other.node_id && one.url === other.url;
