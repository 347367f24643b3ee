import { CHECKED_COLUMNS } from './row-check.ts';

/** `DrBr`: marks the file as a ledger, so that no other SQLite file is taken for one. */
export const APPLICATION_ID = 0x44724272;

/**
 * Sets `for_proxy` in rows from older versions and copies. Skips a damaged row, because an UPDATE would give
 * it a valid check.
 */
export const LINE_UP_WAITING = `UPDATE messages
  SET for_proxy = (SELECT proxy_device_id FROM sessions WHERE sessions.session = messages.session)
  WHERE state = 'accepted' AND for_proxy IS NULL AND checked IS row_check(${CHECKED_COLUMNS.messages})`;

/**
 * One entry per version, forward only; a released one is never changed. Sessions have a small integer key,
 * because it is in each row and index of theirs. Events are a rowid table: their rows are large, and new ones
 * are appended. Partial indexes hold only open rows. A session's leaf of an index is a page to write and sync
 * for each of its sends, so few indexes hold all of them. `said` is the previous event of the transcript (0:
 * none): a transcript is followed from its end, and the index has only rows of older versions or copies.
 * `of_send`: the event follows the acceptance of its message, and the message's row leads there. Queued sends
 * are indexed by proxy in arrival order, so new ones go to the end. `openings` has a dirty bit: set while a relay
 * has the ledger open.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE birth (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch TEXT NOT NULL,
    commits INTEGER NOT NULL,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      id, epoch, commits
    )) STORED
  ) STRICT;

  CREATE TABLE sessions (
    session INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    proxy_device_id TEXT NOT NULL,
    metadata TEXT NOT NULL,
    config TEXT,
    created_at INTEGER NOT NULL,
    closed_at INTEGER,
    head INTEGER NOT NULL DEFAULT 0,
    head_hash BLOB NOT NULL,
    oldest INTEGER NOT NULL DEFAULT 1,
    base_hash BLOB NOT NULL,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      session, session_id, proxy_device_id, metadata, config, created_at, closed_at,
      head, head_hash, oldest, base_hash
    )) STORED
  ) STRICT;
  CREATE INDEX sessions_live ON sessions (proxy_device_id) WHERE closed_at IS NULL;

  CREATE TABLE events (
    event INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (session),
    sequence INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    message_id TEXT,
    payload TEXT NOT NULL,
    prev_hash BLOB NOT NULL,
    hash BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_order ON events (session, sequence);
  CREATE INDEX events_transcript ON events (session, sequence) WHERE message_id IS NOT NULL;
  CREATE INDEX events_message ON events (session, message_id, sequence) WHERE message_id IS NOT NULL;

  CREATE TABLE messages (
    message INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (session),
    client_message_id TEXT NOT NULL,
    identity_hash TEXT NOT NULL,
    device_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('accepted', 'delivered', 'failed')),
    attempt INTEGER NOT NULL DEFAULT 0,
    accepted_at INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    expires_at INTEGER,
    settled_at INTEGER,
    error TEXT,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      message, session, client_message_id, identity_hash, device_id, payload, state,
      attempt, accepted_at, event_id, sequence, expires_at, settled_at, error
    )) STORED,
    UNIQUE (session, client_message_id)
  ) STRICT;
  CREATE INDEX messages_queued ON messages (session, sequence) WHERE state = 'accepted';
  CREATE INDEX messages_expiring ON messages (expires_at) WHERE state = 'accepted' AND expires_at IS NOT NULL;

  CREATE TABLE prompts (
    prompt INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (session),
    prompt_id TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'answering', 'answered', 'expired', 'unconfirmed')),
    opened_at INTEGER NOT NULL,
    expires_at INTEGER,
    settled_at INTEGER,
    answer TEXT,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      prompt, session, prompt_id, body, state, opened_at, expires_at, settled_at,
      answer
    )) STORED
  ) STRICT;
  CREATE INDEX prompts_id ON prompts (session, prompt_id, prompt);
  CREATE INDEX prompts_unsettled ON prompts (state, prompt) WHERE state IN ('open', 'answering');

  CREATE TABLE launches (
    launch INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL,
    device_id TEXT NOT NULL,
    client_id TEXT,
    proxy_device_id TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'launched', 'failed')),
    launched_at INTEGER NOT NULL,
    timeout_at INTEGER NOT NULL,
    settled_at INTEGER,
    outcome TEXT,
    told INTEGER NOT NULL DEFAULT 0,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      launch, request_id, device_id, client_id, proxy_device_id, body, state,
      launched_at, timeout_at, settled_at, outcome, told
    )) STORED
  ) STRICT;
  CREATE UNIQUE INDEX launches_pending ON launches (request_id) WHERE state = 'pending';
  CREATE INDEX launches_untold ON launches (device_id, launch) WHERE state <> 'pending' AND told = 0;

  CREATE TABLE devices (
    device_id TEXT PRIMARY KEY,
    roles TEXT NOT NULL,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER,
    revoked_at INTEGER,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      device_id, roles, label, scopes, token_hash, created_at, last_seen_at, revoked_at
    )) STORED
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE files (
    file_id TEXT PRIMARY KEY,
    session INTEGER REFERENCES sessions (session),
    device_id TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      file_id, session, device_id, name, media_type, bytes, sha256, created_at
    )) STORED
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_session ON files (session);

  CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    device_id TEXT,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      number, at, device_id, action, subject, detail
    )) STORED
  ) STRICT;

  CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      key, value
    )) STORED
  ) STRICT, WITHOUT ROWID;
  `,
  'CREATE INDEX files_content ON files (sha256);',
  `
  CREATE TABLE tasks (
    task INTEGER PRIMARY KEY,
    task_id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions (session),
    device_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
      'queued', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled', 'unknown'
    )),
    priority INTEGER NOT NULL,
    body TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    settled_at INTEGER,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      task, task_id, session, device_id, state, priority, body, revision, created_at,
      updated_at, settled_at
    )) STORED
  ) STRICT;
  CREATE INDEX tasks_session ON tasks (session);
  CREATE INDEX tasks_open ON tasks (task) WHERE settled_at IS NULL;

  CREATE TABLE tab_sessions (
    session INTEGER PRIMARY KEY REFERENCES sessions (session),
    device_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    is_renamed INTEGER NOT NULL,
    tab_id INTEGER,
    metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      session, device_id, domain, url, title, is_renamed, tab_id, metadata, created_at,
      updated_at
    )) STORED
  ) STRICT;
  CREATE INDEX tab_sessions_latest ON tab_sessions (updated_at);
  CREATE INDEX tab_sessions_device ON tab_sessions (device_id, updated_at);
  CREATE INDEX tab_sessions_domain ON tab_sessions (domain, updated_at);
  CREATE INDEX tab_sessions_both ON tab_sessions (device_id, domain, updated_at);
  `,
  `
  ALTER TABLE events ADD COLUMN said INTEGER;
  ALTER TABLE events ADD COLUMN of_send INTEGER;
  DROP INDEX events_transcript;
  DROP INDEX events_message;
  CREATE INDEX events_transcript ON events (session, sequence) WHERE message_id IS NOT NULL AND said IS NULL;
  CREATE INDEX events_message ON events (session, message_id, sequence)
    WHERE message_id IS NOT NULL AND of_send IS NULL;

  ALTER TABLE messages ADD COLUMN for_proxy TEXT;
  DROP INDEX messages_queued;
  ${LINE_UP_WAITING};
  CREATE INDEX messages_queued ON messages (for_proxy) WHERE state = 'accepted';
  `,
  `
  CREATE TABLE openings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    is_open INTEGER NOT NULL,
    checked INTEGER NOT NULL GENERATED ALWAYS AS (row_check(
      id, is_open
    )) STORED
  ) STRICT;
  INSERT INTO openings (id, is_open) VALUES (1, 0);
  `,
];
