import { eventHash, FIRST_PREV_HASH } from '../event-hash.ts';
import { sessionOf } from '../rows/record-rows.ts';
import { damaged, hex, integer } from '../rows/row.ts';
import type { Appended, CreateSession, DropSession, PruneEvents, UpdateSession } from '../writes.ts';
import { sessionRow, type Writer } from './chains.ts';
import { type PackableEvent, packed } from './packed-write.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';

export function createSession({ one, run, chains }: Writer, write: CreateSession): null {
  chains.leave(write.session_id);
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

export function updateSession(sql: Writer, write: UpdateSession): null {
  const session = integer(sessionRow(sql, write.session_id), 'session');
  const set = (column: 'metadata' | 'config' | 'closed_at', value: string | number | null) =>
    sql.run(`UPDATE sessions SET ${column} = ? WHERE session = ?`, value, session);
  if (write.metadata !== undefined) set('metadata', JSON.stringify(write.metadata));
  if (write.config !== undefined) set('config', write.config === null ? null : JSON.stringify(write.config));
  if (write.closed_at !== undefined) set('closed_at', write.closed_at);
  return null;
}

/** CHT-129, CHT-130: the sequence is assigned in the transaction that stores the event. */
export function appendEvent({ run, chains }: Writer, write: Omit<PackableEvent, 'do'>): Appended {
  const { session_id, event_id, type, at, message_id = null } = write;
  const chain = chains.of(session_id);
  const { session, hash: prevHash, message } = chain;
  const sequence = chain.head + 1;
  const isOfSend = message_id !== null && message_id === chain.accepted;
  const payload = packed(write.payload);
  const hash = eventHash(prevHash, { session_id, sequence, event_id, type, at, message_id, payload });
  run(
    `INSERT INTO events
       (session, sequence, event_id, type, at, message_id, payload, prev_hash, hash, said, of_send)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    sequence,
    event_id,
    type,
    at,
    message_id,
    payload,
    Buffer.from(prevHash, 'hex'),
    Buffer.from(hash, 'hex'),
    message,
    isOfSend ? 1 : null,
  );
  chain.head = sequence;
  chain.hash = hash;
  chain.accepted = undefined;
  if (message_id !== null) chain.message = sequence;
  chains.moved(session_id);
  return { sequence };
}

/** The session keeps the hash of the last pruned event, so that the rest of the chain can be checked. */
export function pruneEvents(sql: Writer, write: PruneEvents): { readonly removed: number } {
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

export function dropSession(sql: Writer, write: DropSession): null {
  const session = integer(sessionRow(sql, write.session_id), 'session');
  for (const table of ['events', 'messages', 'prompts', 'files', 'tasks', 'tab_sessions', 'sessions']) {
    sql.run(`DELETE FROM ${table} WHERE session = ?`, session);
  }
  return null;
}
