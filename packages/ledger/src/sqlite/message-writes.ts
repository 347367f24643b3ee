import type { LedgerError } from '../ledger-error.ts';
import { messageOf } from '../rows/record-rows.ts';
import { damaged, intact, integer, type Row, text } from '../rows/row.ts';
import type { Appended, EditMessage, ForgetMessage, ForwardMessage, SettleMessage } from '../writes.ts';
import type { Writer } from './chains.ts';
import { appendEvent } from './event-writes.ts';
import { type PackableAccept, packed, packedIdentity } from './packed-write.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';

/** CHT-142 to CHT-144: the id is looked up in the transaction that would record it. */
export function acceptMessage(sql: Writer, write: PackableAccept): Appended {
  const { session_id, client_message_id, event, at } = write;
  const identity = packedIdentity(write.identity);
  const chain = sql.chains.of(session_id);
  const added = sql.run(
    `INSERT INTO messages (session, client_message_id, identity_hash, device_id, payload, state, attempt, accepted_at,
       event_id, sequence, expires_at, for_proxy)
     VALUES (?, ?, ?, ?, ?, 'accepted', ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session, client_message_id) DO NOTHING`,
    chain.session,
    client_message_id,
    identity,
    write.device_id,
    packed(write.payload),
    write.attempt ?? 0,
    at,
    event.event_id,
    chain.head + 1,
    write.expires_at,
    chain.proxy_device_id,
  );
  if (added === 0) throw knownSend(sql, write, identity);
  const appended = appendEvent(sql, { session_id, type: 'message_accepted', at, ...event });
  chain.accepted = client_message_id;
  return appended;
}

function knownSend(sql: Writer, write: PackableAccept, identity: string): Refused | LedgerError {
  const { session_id, client_message_id } = write;
  const there = sql.one(QUERIES.message, session_id, client_message_id);
  if (there === undefined) return damaged(`message ${client_message_id} is there and is not found`);
  const reason = text(there, 'identity_hash') === identity ? 'message_repeated' : 'message_conflict';
  return new Refused({ reason, message: messageOf(there) });
}

export function forwardMessage(sql: Writer, write: ForwardMessage): { readonly attempt: number } {
  const row = messageRow(sql, write, () => true);
  const attempt = integer(row, 'attempt') + 1;
  sql.run('UPDATE messages SET attempt = ? WHERE message = ?', attempt, integer(row, 'message'));
  return { attempt };
}

export function editMessage(sql: Writer, write: EditMessage): null {
  const row = messageRow(sql, write, (attempt) => attempt === 0);
  const payload = write.payload_text ?? JSON.stringify(write.payload);
  sql.run('UPDATE messages SET payload = ? WHERE message = ?', payload, integer(row, 'message'));
  return null;
}

export function settleMessage(sql: Writer, write: SettleMessage): null {
  const { state, attempt, error, at } = write;
  const row = messageRow(sql, write, (latest) => attempt === undefined || attempt === latest);
  sql.run(
    'UPDATE messages SET state = ?, settled_at = ?, error = ? WHERE message = ?',
    state,
    at,
    error === undefined ? null : JSON.stringify(error),
    integer(row, 'message'),
  );
  return null;
}

export function forgetMessage(sql: Writer, { session_id, client_message_id }: ForgetMessage): null {
  const row = sql.one(QUERIES.message, session_id, client_message_id);
  if (row === undefined || text(row, 'state') === 'accepted') return null;
  sql.run("UPDATE messages SET payload = '{}' WHERE message = ?", integer(row, 'message'));
  return null;
}

function messageRow(
  sql: Writer,
  write: ForwardMessage | EditMessage | SettleMessage,
  fits: (attempt: number) => boolean,
): Row {
  const row = sql.one(QUERIES.message, write.session_id, write.client_message_id);
  if (row === undefined) {
    sql.chains.of(write.session_id);
    throw new Refused({ reason: 'message_unknown' });
  }
  intact(row, `message ${write.client_message_id}`);
  if (text(row, 'state') !== 'accepted' || !fits(integer(row, 'attempt'))) {
    throw new Refused({ reason: 'message_changed', message: messageOf(row) });
  }
  return row;
}
