import type { Row } from '../rows/row.ts';

/**
 * Copied tables and columns, under the names that both stores use. A row keeps its number, so the order
 * stays.
 */
export const TABLES = {
  sessions:
    'session, session_id, proxy_device_id, metadata, config, created_at, closed_at, head, head_hash, oldest, base_hash',
  events: 'session_id, sequence, event_id, type, at, message_id, payload, prev_hash, hash',
  messages:
    'message, session_id, client_message_id, identity_hash, device_id, payload, state, attempt, accepted_at, event_id, sequence, expires_at, settled_at, error',
  prompts: 'prompt, session_id, prompt_id, body, state, opened_at, expires_at, settled_at, answer',
  launches:
    'launch, request_id, device_id, client_id, proxy_device_id, body, state, launched_at, timeout_at, settled_at, outcome, told',
  devices: 'device_id, roles, label, scopes, token_hash, created_at, last_seen_at, revoked_at',
  files: 'file_id, session_id, device_id, name, media_type, bytes, sha256, created_at',
  audit: 'number, at, device_id, action, subject, detail',
  settings: 'key, value',
  tasks:
    'task, task_id, session_id, device_id, state, priority, body, revision, created_at, updated_at, settled_at',
  tab_sessions:
    'session_id, device_id, domain, url, title, is_renamed, tab_id, metadata, created_at, updated_at',
} as const;

export type Table = keyof typeof TABLES;

export const TABLE_NAMES: readonly Table[] = [
  'sessions',
  'events',
  'messages',
  'prompts',
  'launches',
  'devices',
  'files',
  'audit',
  'settings',
  'tasks',
  'tab_sessions',
];

export const columnsOf = (table: Table): readonly string[] => TABLES[table].split(', ');

/** One snapshot of a ledger. */
export interface LedgerSource {
  readonly epoch: string;
  /** In the order of the first column; events by session and sequence. */
  readonly rows: (table: Table) => AsyncIterable<readonly Row[]>;
  readonly close: () => Promise<void>;
}

/** A ledger under construction, invisible before `finish`. */
export interface LedgerTarget {
  readonly write: (table: Table, rows: readonly Row[]) => Promise<void>;
  readonly finish: (epoch: string) => Promise<void>;
  /** Removes everything, unless `finish` has completed. */
  readonly close: () => Promise<void>;
}
