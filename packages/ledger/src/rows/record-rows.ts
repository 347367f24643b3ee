import type { TaskState } from '@drawbridge/protocol';
import { eventHash } from '../event-hash.ts';
import type {
  AuditRecord,
  DeviceRecord,
  EventRecord,
  FileRecord,
  LaunchRecord,
  MessageRecord,
  PromptRecord,
  SessionRecord,
  SettingRecord,
  TabSessionRecord,
  TaskRecord,
  WaitingMessage,
} from '../records.ts';
import {
  damaged,
  hex,
  intact,
  integer,
  integerOrNull,
  json,
  jsonObject,
  jsonObjectOrNull,
  oneOf,
  type Row,
  text,
  textOrNull,
  texts,
} from './row.ts';

export function sessionOf(row: Row): SessionRecord {
  intact(row, `session ${row['session_id']}`);
  return {
    session_id: text(row, 'session_id'),
    proxy_device_id: text(row, 'proxy_device_id'),
    metadata: jsonObject(row, 'metadata'),
    config: jsonObjectOrNull(row, 'config'),
    created_at: integer(row, 'created_at'),
    closed_at: integerOrNull(row, 'closed_at'),
    head: integer(row, 'head'),
    oldest: integer(row, 'oldest'),
  };
}

/**
 * Checks each event against its hash at the read, so that a flipped bit is an error, never a changed
 * transcript.
 */
export function eventOf(session_id: string, row: Row): EventRecord {
  const fields = {
    session_id,
    sequence: integer(row, 'sequence'),
    event_id: text(row, 'event_id'),
    type: text(row, 'type'),
    at: integer(row, 'at'),
    message_id: textOrNull(row, 'message_id'),
  };
  const prev_hash = hex(row, 'prev_hash');
  const hash = hex(row, 'hash');
  const payload_text = text(row, 'payload');
  if (eventHash(prev_hash, { ...fields, payload: payload_text }) !== hash) {
    throw damaged(`event ${fields.sequence} of session ${session_id} does not match its hash`);
  }
  const payload = jsonObject(row, 'payload');
  const isOther = fields.message_id !== null && JSON.stringify(payload) !== payload_text;
  return { ...fields, payload, ...(isOther && { payload_text }), prev_hash, hash };
}

export function messageOf(row: Row): MessageRecord {
  intact(row, `message ${row['client_message_id']}`);
  const payload = jsonObject(row, 'payload');
  const payload_text = text(row, 'payload');
  return {
    session_id: text(row, 'session_id'),
    client_message_id: text(row, 'client_message_id'),
    device_id: text(row, 'device_id'),
    payload,
    ...(JSON.stringify(payload) !== payload_text && { payload_text }),
    state: oneOf(row, 'state', ['accepted', 'delivered', 'failed']),
    attempt: integer(row, 'attempt'),
    accepted_at: integer(row, 'accepted_at'),
    event_id: text(row, 'event_id'),
    sequence: integer(row, 'sequence'),
    expires_at: integerOrNull(row, 'expires_at'),
    settled_at: integerOrNull(row, 'settled_at'),
    error: jsonObjectOrNull(row, 'error'),
  };
}

export function waitingOf(row: Row): WaitingMessage {
  intact(row, `message ${row['client_message_id']}`);
  return {
    session_id: text(row, 'session_id'),
    client_message_id: text(row, 'client_message_id'),
    attempt: integer(row, 'attempt'),
    sequence: integer(row, 'sequence'),
    expires_at: integerOrNull(row, 'expires_at'),
    chars: integer(row, 'chars'),
  };
}

export function promptOf(row: Row): PromptRecord {
  intact(row, `prompt ${row['prompt_id']}`);
  return {
    session_id: text(row, 'session_id'),
    prompt_id: text(row, 'prompt_id'),
    body: jsonObject(row, 'body'),
    state: oneOf(row, 'state', ['open', 'answering', 'answered', 'expired', 'unconfirmed']),
    opened_at: integer(row, 'opened_at'),
    expires_at: integerOrNull(row, 'expires_at'),
    settled_at: integerOrNull(row, 'settled_at'),
    answer: jsonObjectOrNull(row, 'answer'),
  };
}

export function launchOf(row: Row): LaunchRecord {
  intact(row, `launch ${row['request_id']}`);
  return {
    request_id: text(row, 'request_id'),
    device_id: text(row, 'device_id'),
    client_id: textOrNull(row, 'client_id'),
    proxy_device_id: text(row, 'proxy_device_id'),
    body: jsonObject(row, 'body'),
    state: oneOf(row, 'state', ['pending', 'launched', 'failed']),
    launched_at: integer(row, 'launched_at'),
    timeout_at: integer(row, 'timeout_at'),
    settled_at: integerOrNull(row, 'settled_at'),
    outcome: jsonObjectOrNull(row, 'outcome'),
    told: integer(row, 'told') === 1,
  };
}

export function deviceOf(row: Row): DeviceRecord {
  intact(row, `device ${row['device_id']}`);
  return {
    device_id: text(row, 'device_id'),
    roles: texts(row, 'roles'),
    label: text(row, 'label'),
    scopes: texts(row, 'scopes'),
    token_hash: text(row, 'token_hash'),
    created_at: integer(row, 'created_at'),
    last_seen_at: integerOrNull(row, 'last_seen_at'),
    revoked_at: integerOrNull(row, 'revoked_at'),
  };
}

export function fileOf(row: Row): FileRecord {
  intact(row, `file ${row['file_id']}`);
  return {
    file_id: text(row, 'file_id'),
    session_id: textOrNull(row, 'session_id'),
    device_id: text(row, 'device_id'),
    name: text(row, 'name'),
    media_type: text(row, 'media_type'),
    bytes: integer(row, 'bytes'),
    sha256: text(row, 'sha256'),
    created_at: integer(row, 'created_at'),
  };
}

export function auditOf(row: Row): AuditRecord {
  intact(row, `audit entry ${row['number']}`);
  return {
    number: integer(row, 'number'),
    at: integer(row, 'at'),
    device_id: textOrNull(row, 'device_id'),
    action: text(row, 'action'),
    subject: text(row, 'subject'),
    detail: jsonObject(row, 'detail'),
  };
}

export function settingOf(row: Row): SettingRecord {
  const key = text(row, 'key');
  return { key, value: json(intact(row, `setting ${key}`), 'value') };
}

const TASK_STATES: readonly TaskState[] = [
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'unknown',
];

export function taskOf(row: Row): TaskRecord {
  intact(row, `task ${row['task_id']}`);
  return {
    task_id: text(row, 'task_id'),
    session_id: text(row, 'session_id'),
    device_id: text(row, 'device_id'),
    state: oneOf(row, 'state', TASK_STATES),
    priority: integer(row, 'priority'),
    body: jsonObject(row, 'body'),
    revision: integer(row, 'revision'),
    created_at: integer(row, 'created_at'),
    updated_at: integer(row, 'updated_at'),
    settled_at: integerOrNull(row, 'settled_at'),
  };
}

export function tabSessionOf(row: Row): TabSessionRecord {
  intact(row, `tab session ${row['session_id']}`);
  return {
    session_id: text(row, 'session_id'),
    device_id: text(row, 'device_id'),
    domain: text(row, 'domain'),
    url: text(row, 'url'),
    title: text(row, 'title'),
    is_renamed: integer(row, 'is_renamed') === 1,
    tab_id: integerOrNull(row, 'tab_id'),
    metadata: jsonObject(row, 'metadata'),
    created_at: integer(row, 'created_at'),
    updated_at: integer(row, 'updated_at'),
  };
}
