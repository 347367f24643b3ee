import { damaged, hex, intact, integer, integerOrNull, type Row, text } from '../rows/row.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';
import type { Sql } from './sql.ts';

/** End of a session's event chain; the session's row is behind until a flush. */
export interface Chain {
  readonly session: number;
  readonly proxy_device_id: string;
  head: number;
  hash: string;
  /** The latest event of its transcript; 0 when none is stored. */
  message: number;
  /** The send whose acceptance is the latest event. */
  accepted: string | undefined;
}

/**
 * Cache of chain ends of recently written sessions: each is read and checked once, and stored once per group
 * commit, however many events are appended. Nothing else writes to this ledger.
 */
export interface Chains {
  /** Throws `Refused` for an unknown session. */
  readonly of: (session_id: string) => Chain;
  /** Marks the chain as grown. */
  readonly moved: (session_id: string) => void;
  /** Stores the grown chains. */
  readonly flush: () => void;
  /** Stores and drops the chain, because its row is going to change. */
  readonly leave: (session_id: string) => void;
  /** Drops all chains after a rollback. */
  readonly forget: () => void;
}

/** A connection that changes things. */
export type Writer = Sql & { readonly chains: Chains };

const MAX_KNOWN = 1_000;

export function createWriter(sql: Sql): Writer {
  const known = new Map<string, { readonly chain: Chain; readonly row: Row }>();
  const moved = new Set<string>();

  const store = (session_id: string): void => {
    const there = known.get(session_id);
    if (there !== undefined) storeEnd(sql, session_id, there.chain, there.row);
  };

  const chains: Chains = {
    of: (session_id) => {
      const there = known.get(session_id);
      if (there !== undefined) return there.chain;
      const row = storedSession(sql, session_id);
      const chain = chainOf(sql, row);
      known.set(session_id, { chain, row });
      return chain;
    },
    moved: (session_id) => {
      moved.add(session_id);
    },
    flush: () => {
      moved.forEach(store);
      moved.clear();
      if (known.size > MAX_KNOWN) known.clear();
    },
    leave: (session_id) => {
      if (moved.delete(session_id)) store(session_id);
      known.delete(session_id);
    },
    forget: () => {
      known.clear();
      moved.clear();
    },
  };
  return { ...sql, chains };
}

/** The whole row, as up to date as its events. */
export function sessionRow({ chains, ...sql }: Writer, session_id: string): Row {
  chains.leave(session_id);
  return storedSession(sql, session_id);
}

function storedSession({ one }: Sql, session_id: string): Row {
  const row = one(QUERIES.session, session_id);
  if (row === undefined) throw new Refused({ reason: 'session_unknown', session_id });
  return intact(row, `session ${session_id}`);
}

function chainOf(sql: Sql, row: Row): Chain {
  const session = integer(row, 'session');
  const head = integer(row, 'head');
  return {
    session,
    proxy_device_id: text(row, 'proxy_device_id'),
    head,
    hash: hex(row, 'head_hash'),
    message: latestMessage(sql, session, head),
    accepted: undefined,
  };
}

function latestMessage({ one }: Sql, session: number, head: number): number {
  const last = one(QUERIES.event, session, head);
  if (last === undefined) return 0;
  if (last['message_id'] !== null) return head;
  return (
    integerOrNull(last, 'said') ?? Number(one(QUERIES.unlinkedTranscriptSequence, session)?.['sequence'] ?? 0)
  );
}

/**
 * SQLite recomputes the row's check on this update. The WHERE clause verifies every column as read, or a
 * flipped bit would get a valid check.
 */
const STORE_END = `UPDATE sessions SET head = ?, head_hash = ?
  WHERE session = ? AND session_id = ? AND proxy_device_id = ? AND metadata = ? AND config IS ?
    AND created_at = ? AND closed_at IS ? AND oldest = ? AND base_hash = ?`;

function storeEnd({ run }: Sql, session_id: string, { session, head, hash }: Chain, row: Row): void {
  const { proxy_device_id = null, metadata = null, config = null } = row;
  const { created_at = null, closed_at = null, oldest = null, base_hash = null } = row;
  const found = run(
    STORE_END,
    head,
    Buffer.from(hash, 'hex'),
    session,
    session_id,
    proxy_device_id,
    metadata,
    config,
    created_at,
    closed_at,
    oldest,
    base_hash,
  );
  if (found !== 1) throw damaged(`session ${session_id} is not what was written`);
}
