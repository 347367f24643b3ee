import { identityHash } from '../event-hash.ts';
import { LedgerError } from '../ledger-error.ts';
import { isOfPerson } from '../people-first.ts';
import type { Json } from '../records.ts';
import type { AcceptMessage, AppendEvent, Write } from '../writes.ts';

/** A transaction in the form of a batch. */
export interface PackedTransaction {
  /** Input of `commit_batch`. */
  readonly text: string;
  /** Sessions whose rows it locks. */
  readonly sessions: readonly string[];
  /** True when it touches rows without a session, which commit one at a time over all nodes. */
  readonly isGlobal: boolean;
  /** Ids of the appended events, by index of the write. */
  readonly event_ids: readonly (string | undefined)[];
  readonly term: number | undefined;
  /** A person waits for the result. */
  readonly isOfPerson: boolean;
}

/** Writes to rows outside a session that other writes may depend on: ordered over all sessions. */
const GLOBAL: ReadonlySet<Write['do']> = new Set([
  'open_launch',
  'settle_launch',
  'tell_launch',
  'put_device',
  'update_device',
  'revoke_device',
  'put_file',
  'delete_file',
  'put_setting',
  'put_task',
]);

export function packTransaction(writes: readonly Write[], term: number | undefined): PackedTransaction {
  const rows = writes.map(rowOf);
  const ids = rows.flatMap(({ session_id }) => (typeof session_id === 'string' ? [session_id] : []));
  return {
    text: JSON.stringify(term === undefined ? { writes: rows } : { term, writes: rows }),
    sessions: [...new Set(ids)],
    isGlobal: writes.some((write) => GLOBAL.has(write.do)),
    event_ids: writes.map(eventIdOf),
    term,
    isOfPerson: isOfPerson(writes),
  };
}

function eventIdOf(write: Write): string | undefined {
  if (write.do === 'append_event') return write.event_id;
  return write.do === 'accept_message' ? write.event.event_id : undefined;
}

interface PackedWrite {
  readonly op: Write['do'];
  readonly session_id?: string | null;
  readonly [column: string]: unknown;
}

function rowOf(write: Write): PackedWrite {
  refuseUnstorable(write.do, write);
  switch (write.do) {
    case 'append_event':
      return eventRow(write, write);
    case 'accept_message': {
      const { session_id, client_message_id, device_id, at, expires_at, event } = write;
      refuseUnstorable(write.do, event);
      return {
        ...eventRow({ ...event, do: 'append_event', session_id, type: 'message_accepted', at }, write),
        client_message_id,
        identity_hash: identityHash(write.identity),
        device_id,
        content: write.payload_text ?? JSON.stringify(write.payload),
        expires_at,
      };
    }
    case 'edit_message': {
      const { do: op, payload, payload_text = JSON.stringify(payload), ...ids } = write;
      return { ...named(ids), ...moreOf(op, { ...ids, payload: payload_text }, []) };
    }
    case 'put_device':
      return moreOf(write.do, { ...write.device }, ['roles', 'scopes']);
    case 'put_file':
      return { ...moreOf(write.do, { ...write.file }, []), session_id: write.file.session_id };
    case 'audit':
      return { ...moreOf(write.do, { ...write.entry }, ['detail']), at: write.entry.at };
    case 'put_task': {
      const { task, if_revision } = write;
      return {
        ...moreOf(write.do, { ...task, if_revision }, ['body']),
        session_id: task.session_id,
      };
    }
    case 'put_tab_session': {
      const { session } = write;
      const row = { ...session, is_renamed: session.is_renamed ? 1 : 0 };
      return { ...moreOf(write.do, row, ['metadata']), session_id: session.session_id };
    }
    default: {
      const { do: op, ...more } = write;
      const columns = moreOf(op, more, [
        'metadata',
        'config',
        'payload',
        'error',
        'body',
        'answer',
        'outcome',
        'value',
      ]);
      return { ...named(more), ...columns };
    }
  }
}

function eventRow(event: AppendEvent, { do: op }: AppendEvent | AcceptMessage): PackedWrite {
  const { session_id, event_id, type, at, message_id = null } = event;
  return {
    op,
    session_id,
    event_id,
    type,
    at,
    message_id,
    payload: event.payload_text ?? JSON.stringify(event.payload),
    hashed: JSON.stringify([event_id, type, at, message_id]).slice(1, -1),
  };
}

/** The columns of `write` that rarer writes also have. */
function named(write: object): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const name of ['session_id', 'client_message_id', 'device_id', 'at', 'expires_at']) {
    const value = Object.entries(write).find(([key]) => key === name)?.[1];
    if (value !== undefined) columns[name] = value;
  }
  return columns;
}

/** The other fields as JSON, with JSON fields as texts, because the text is stored. */
function moreOf(op: Write['do'], fields: object, ofJson: readonly string[]): PackedWrite {
  refuseUnstorable(op, fields);
  const more: Record<string, Json> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    more[field] = ofJson.includes(field) && value !== null ? JSON.stringify(value) : value;
  }
  return { op, more };
}

/** A lone surrogate changes in UTF-8, so two ids could become the same; PostgreSQL's texts hold no NUL. */
function refuseUnstorable(op: Write['do'], fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) continue;
    throw new LedgerError('ledger_invalid', `${op}.${field} is not a text that can be stored.`);
  }
}
