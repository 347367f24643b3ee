import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/**
 * SQLite pages have no checksum: a flipped bit in a text is another text. Events have their chain; each row
 * of the other tables has a column that SQLite computes from all the others, for `verify`.
 */
export const CHECKED_COLUMNS = {
  birth: 'id, epoch, commits',
  openings: 'id, is_open',
  sessions:
    'session, session_id, proxy_device_id, metadata, config, created_at, closed_at, head, head_hash, oldest, base_hash',
  messages:
    'message, session, client_message_id, identity_hash, device_id, payload, state, attempt, accepted_at, event_id, sequence, expires_at, settled_at, error',
  prompts: 'prompt, session, prompt_id, body, state, opened_at, expires_at, settled_at, answer',
  launches:
    'launch, request_id, device_id, client_id, proxy_device_id, body, state, launched_at, timeout_at, settled_at, outcome, told',
  devices: 'device_id, roles, label, scopes, token_hash, created_at, last_seen_at, revoked_at',
  files: 'file_id, session, device_id, name, media_type, bytes, sha256, created_at',
  audit: 'number, at, device_id, action, subject, detail',
  settings: 'key, value',
  tasks:
    'task, task_id, session, device_id, state, priority, body, revision, created_at, updated_at, settled_at',
  tab_sessions:
    'session, device_id, domain, url, title, is_renamed, tab_id, metadata, created_at, updated_at',
} as const;

/** Required on each connection that writes or copies. */
export function addRowCheck(database: DatabaseSync): void {
  database.function('row_check', { deterministic: true, varargs: true }, rowCheck);
}

function rowCheck(...values: SQLOutputValue[]): number {
  let all = '';
  for (const value of values) {
    all += value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : `${value}`;
    all += '\u001f';
  }
  return crc32(all);
}
