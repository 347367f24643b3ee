import { eventHash, FIRST_PREV_HASH, identityHash } from '../event-hash.ts';
import type { SessionRecord } from '../records.ts';
import { Refused } from '../sqlite/refused.ts';
import type {
  AcceptMessage,
  AppendEvent,
  Appended,
  CreateSession,
  DropSession,
  EditMessage,
  ForgetMessage,
  ForwardMessage,
  PruneEvents,
  SettleMessage,
  UpdateSession,
} from '../writes.ts';
import { type MessageRow, pairKey, type SessionRow, type Tables } from './tables.ts';

export function sessionRow({ sessions }: Tables, session_id: string): SessionRow {
  const row = sessions.get(session_id);
  if (row === undefined) throw new Refused({ reason: 'session_unknown', session_id });
  return row;
}

export function createSession({ sessions }: Tables, write: CreateSession): null {
  const { session_id, proxy_device_id, metadata, at } = write;
  const there = sessions.get(session_id);
  if (there !== undefined) throw new Refused({ reason: 'session_exists', session: there.record });
  const life = { created_at: at, closed_at: null, head: 0, oldest: 1 };
  const record = { session_id, proxy_device_id, metadata, config: null, ...life };
  sessions.put(session_id, { record, events: [], base_hash: FIRST_PREV_HASH });
  return null;
}

export function updateSession(tables: Tables, write: UpdateSession): null {
  const row = sessionRow(tables, write.session_id);
  const {
    metadata = row.record.metadata,
    config = row.record.config,
    closed_at = row.record.closed_at,
  } = write;
  putSession(tables, row, { metadata, config, closed_at });
  return null;
}

export function appendEvent(tables: Tables, write: Omit<AppendEvent, 'do'>): Appended {
  const { session_id, event_id, type, at, message_id = null, payload, payload_text } = write;
  const row = sessionRow(tables, session_id);
  const sequence = row.record.head + 1;
  const prev_hash = row.events.at(-1)?.hash ?? row.base_hash;
  const fields = { session_id, sequence, event_id, type, at, message_id };
  const hash = eventHash(prev_hash, { ...fields, payload: payload_text ?? JSON.stringify(payload) });
  row.events.push({
    ...fields,
    payload,
    ...(payload_text !== undefined && { payload_text }),
    prev_hash,
    hash,
  });
  tables.undo.push(() => row.events.pop());
  putSession(tables, row, { head: sequence });
  return { sequence };
}

export function pruneEvents(tables: Tables, write: PruneEvents): { readonly removed: number } {
  const row = sessionRow(tables, write.session_id);
  const { head, oldest } = row.record;
  const through = Math.min(write.through, head, oldest + write.limit - 1);
  const removed = Math.max(0, through - oldest + 1);
  const base_hash = row.events[removed - 1]?.hash ?? row.base_hash;
  const record = { ...row.record, oldest: oldest + removed };
  tables.sessions.put(write.session_id, { record, events: row.events.slice(removed), base_hash });
  return { removed };
}

export function dropSession(tables: Tables, { session_id }: DropSession): null {
  sessionRow(tables, session_id);
  tables.sessions.drop(session_id);
  for (const { record } of tables.messages.all()) {
    if (record.session_id === session_id) tables.messages.drop(pairKey(session_id, record.client_message_id));
  }
  for (const prompt of tables.prompts.all()) {
    if (prompt.session_id === session_id) tables.prompts.drop(pairKey(session_id, prompt.prompt_id));
  }
  for (const file of tables.files.all()) {
    if (file.session_id === session_id) tables.files.drop(file.file_id);
  }
  for (const task of tables.tasks.all()) {
    if (task.session_id === session_id) tables.tasks.drop(task.task_id);
  }
  tables.tabSessions.drop(session_id);
  return null;
}

export function acceptMessage(tables: Tables, write: AcceptMessage): Appended {
  const { session_id, client_message_id, device_id, payload, payload_text, event, at, expires_at } = write;
  const identity_hash = identityHash(write.identity);
  const there = tables.messages.get(pairKey(session_id, client_message_id));
  if (there !== undefined) {
    const reason = there.identity_hash === identity_hash ? 'message_repeated' : 'message_conflict';
    throw new Refused({ reason, message: there.record });
  }
  const appended = appendEvent(tables, { session_id, type: 'message_accepted', at, ...event });
  const life = { state: 'accepted', attempt: 0, settled_at: null, error: null } as const;
  const ids = { session_id, client_message_id, device_id, event_id: event.event_id, ...appended };
  const written = payload_text === undefined ? undefined : { payload_text };
  const record = { ...ids, payload, ...written, accepted_at: at, expires_at, ...life };
  tables.messages.put(pairKey(session_id, client_message_id), { record, identity_hash });
  return appended;
}

export function forwardMessage(tables: Tables, write: ForwardMessage): { readonly attempt: number } {
  const row = waitingMessage(tables, write, () => true);
  const attempt = row.record.attempt + 1;
  putMessage(tables, row, { attempt });
  return { attempt };
}

export function editMessage(tables: Tables, write: EditMessage): null {
  const row = waitingMessage(tables, write, (attempt) => attempt === 0);
  putPayload(tables, row, write);
  return null;
}

export function settleMessage(tables: Tables, write: SettleMessage): null {
  const { state, attempt, error = null, at } = write;
  const row = waitingMessage(tables, write, (latest) => attempt === undefined || attempt === latest);
  putMessage(tables, row, { state, settled_at: at, error });
  return null;
}

export function forgetMessage(tables: Tables, { session_id, client_message_id }: ForgetMessage): null {
  const row = tables.messages.get(pairKey(session_id, client_message_id));
  if (row !== undefined && row.record.state !== 'accepted') putPayload(tables, row, { payload: {} });
  return null;
}

function waitingMessage(
  tables: Tables,
  { session_id, client_message_id }: ForwardMessage | EditMessage | SettleMessage,
  fits: (attempt: number) => boolean,
): MessageRow {
  const row = tables.messages.get(pairKey(session_id, client_message_id));
  if (row === undefined) {
    sessionRow(tables, session_id);
    throw new Refused({ reason: 'message_unknown' });
  }
  if (row.record.state !== 'accepted' || !fits(row.record.attempt)) {
    throw new Refused({ reason: 'message_changed', message: row.record });
  }
  return row;
}

function putSession({ sessions }: Tables, row: SessionRow, change: Partial<SessionRecord>): void {
  sessions.put(row.record.session_id, { ...row, record: { ...row.record, ...change } });
}

type Payload = Pick<MessageRow['record'], 'payload' | 'payload_text'>;

function putPayload(tables: Tables, row: MessageRow, { payload, payload_text }: Payload): void {
  const { payload_text: _, ...record } = row.record;
  const written = payload_text === undefined ? undefined : { payload_text };
  putMessage(tables, { ...row, record: { ...record, payload, ...written } }, {});
}

function putMessage({ messages }: Tables, row: MessageRow, change: Partial<MessageRow['record']>): void {
  const { session_id, client_message_id } = row.record;
  messages.put(pairKey(session_id, client_message_id), { ...row, record: { ...row.record, ...change } });
}
