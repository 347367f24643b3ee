import { hex, intact, integer, type Row } from '../rows/row.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';
import type { Sql } from './sql.ts';

/** Where a session's events end: its own row is behind until the chains are flushed. */
export interface Chain {
  readonly session: number;
  head: number;
  hash: string;
}

/**
 * The ends of sessions while a group of transactions is applied: each is read and checked once, and stored once, however
 * many events are appended to it.
 */
export interface Chains {
  /** Throws `Refused` for a session that is not there. */
  readonly of: (session_id: string) => Chain;
  /** Stores what was moved, and forgets it all. */
  readonly flush: () => void;
  /** What was moved was rolled back. */
  readonly forget: () => void;
}

/** A connection that changes things. */
export type Writer = Sql & { readonly chains: Chains };

export function createWriter(sql: Sql): Writer {
  const known = new Map<string, Chain & { readonly stored: number }>();
  const chains: Chains = {
    of: (session_id) => {
      const there = known.get(session_id);
      if (there !== undefined) return there;
      const row = storedSession(sql, session_id);
      const head = integer(row, 'head');
      const chain = { session: integer(row, 'session'), head, hash: hex(row, 'head_hash'), stored: head };
      known.set(session_id, chain);
      return chain;
    },
    flush: () => {
      for (const { session, head, hash, stored } of known.values()) {
        if (head === stored) continue;
        const bytes = Buffer.from(hash, 'hex');
        sql.run('UPDATE sessions SET head = ?, head_hash = ? WHERE session = ?', head, bytes, session);
      }
      known.clear();
    },
    forget: () => known.clear(),
  };
  return { ...sql, chains };
}

/** All of its row, as up to date as its events are. */
export function sessionRow({ chains, ...sql }: Writer, session_id: string): Row {
  chains.flush();
  return storedSession(sql, session_id);
}

function storedSession({ one }: Sql, session_id: string): Row {
  const row = one(QUERIES.session, session_id);
  if (row === undefined) throw new Refused({ reason: 'session_unknown', session_id });
  return intact(row, `session ${session_id}`);
}
