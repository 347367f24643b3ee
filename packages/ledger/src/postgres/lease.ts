import { integer, type Row, text } from '../rows/row.ts';

/** A relay process that shares the ledger, and its address for the others. */
export interface LedgerNode {
  readonly node_id: string;
  readonly url: string;
}

/** The current lease. */
export interface Lease {
  readonly leader: LedgerNode;
  /** Counts leaders: commits of an earlier term are refused. */
  readonly term: number;
  readonly isOurs: boolean;
}

export const LEASE_QUERIES = {
  hold: 'SELECT * FROM hold_lease($1::text, $2::text, $3::double precision)',
  release: 'SELECT release_lease($1::text, $2::bigint)',
  // The database ends the sessions of a killed process at once. A leader that renews is never displaced.
  releaseGone: `UPDATE lease SET ends_at = '-infinity' WHERE node_id = $1::text AND term = $2::bigint
    AND ends_at < clock_timestamp() + $3::double precision * interval '1 millisecond'
    AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = $4::text) RETURNING term`,
  nodes: 'SELECT node_id, url FROM nodes WHERE ends_at > clock_timestamp() ORDER BY node_id',
} as const;

export function leaseOf(row: Row, node_id: string): Lease {
  const leader = nodeOf(row);
  return { leader, term: integer(row, 'term'), isOurs: leader.node_id === node_id };
}

export const nodeOf = (row: Row): LedgerNode => ({ node_id: text(row, 'node_id'), url: text(row, 'url') });
