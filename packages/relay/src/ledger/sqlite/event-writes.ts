import { eventHash, FIRST_PREV_HASH } from '../event-hash.ts';
import type {
  AppendEvent,
  Appended,
  CreateSession,
  DropSession,
  PruneEvents,
  UpdateSession,
} from '../writes.ts';
import { QUERIES } from './queries.ts';
import { sessionOf } from './record-rows.ts';
import { Refused } from './refused.ts';
import { damaged, hex, intact, integer, type Row } from './row.ts';
import type { Sql } from './sql.ts';

export function sessionRow({ one }: Sql, session_id: string): Row {
  const row = one(QUERIES.session, session_id);
  if (row === undefined) throw new Refused({ reason: 'session_unknown', session_id });
  return intact(row, `session ${session_id}`);
}

export const sessionNumber = (sql: Sql, session_id: string): number =>
  integer(sessionRow(sql, session_id), 'session');

export function createSession({ one, run }: Sql, write: CreateSession): null {
  const there = one(QUERIES.session, write.session_id);
  if (there !== undefined) throw new Refused({ reason: 'session_exists', session: sessionOf(there) });
  const zero = Buffer.from(FIRST_PREV_HASH, 'hex');
  run(
    `INSERT INTO sessions (session_id, proxy_device_id, metadata, created_at, head_hash, base_hash)
     VALUES (?, ?, ?, ?, ?, ?)`,
    write.session_id,
    write.proxy_device_id,
    JSON.stringify(write.metadata),
    write.at,
    zero,
    zero,
  );
  return null;
}

export function updateSession(sql: Sql, write: UpdateSession): null {
  const session = sessionNumber(sql, write.session_id);
  const set = (column: 'metadata' | 'config' | 'closed_at', value: string | number | null) =>
    sql.run(`UPDATE sessions SET ${column} = ? WHERE session = ?`, value, session);
  if (write.metadata !== undefined) set('metadata', JSON.stringify(write.metadata));
  if (write.config !== undefined) set('config', write.config === null ? null : JSON.stringify(write.config));
  if (write.closed_at !== undefined) set('closed_at', write.closed_at);
  return null;
}

/** CHT-129, CHT-130: the sequence is counted in the transaction that stores the event. */
export function appendEvent(sql: Sql, write: Omit<AppendEvent, 'do'>): Appended {
  const { session_id, event_id, type, at, message_id = null } = write;
  const row = sessionRow(sql, session_id);
  const session = integer(row, 'session');
  const sequence = integer(row, 'head') + 1;
  const prevHash = hex(row, 'head_hash');
  const payload = JSON.stringify(write.payload);
  const hash = eventHash(prevHash, { session_id, sequence, event_id, type, at, message_id, payload });
  const bytes = Buffer.from(hash, 'hex');
  sql.run(
    `INSERT INTO events (session, sequence, event_id, type, at, message_id, payload, prev_hash, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    sequence,
    event_id,
    type,
    at,
    message_id,
    payload,
    Buffer.from(prevHash, 'hex'),
    bytes,
  );
  sql.run('UPDATE sessions SET head = ?, head_hash = ? WHERE session = ?', sequence, bytes, session);
  return { event_id, sequence, hash };
}

/** The session keeps the hash of the last event that is gone, so that the chain of the others can be checked. */
export function pruneEvents(sql: Sql, write: PruneEvents): { readonly removed: number } {
  const row = sessionRow(sql, write.session_id);
  const session = integer(row, 'session');
  const oldest = integer(row, 'oldest');
  const through = Math.min(write.through, integer(row, 'head'), oldest + write.limit - 1);
  if (through < oldest) return { removed: 0 };
  const last = sql.one('SELECT hash FROM events WHERE session = ? AND sequence = ?', session, through);
  if (last === undefined) throw damaged(`event ${through} of session ${write.session_id} is missing`);
  const removed = sql.run('DELETE FROM events WHERE session = ? AND sequence <= ?', session, through);
  sql.run(
    'UPDATE sessions SET oldest = ?, base_hash = ? WHERE session = ?',
    through + 1,
    Buffer.from(hex(last, 'hash'), 'hex'),
    session,
  );
  return { removed };
}

export function dropSession(sql: Sql, write: DropSession): null {
  const session = sessionNumber(sql, write.session_id);
  for (const table of ['events', 'messages', 'prompts', 'files', 'sessions']) {
    sql.run(`DELETE FROM ${table} WHERE session = ?`, session);
  }
  return null;
}
