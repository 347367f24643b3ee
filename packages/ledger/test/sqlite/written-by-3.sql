-- A ledger of schema 3: written by the relay of commit f4c34ad2, then dumped. Never edit it by hand.
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
CREATE INDEX files_content ON files (sha256);
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

INSERT INTO birth (id, epoch, commits) VALUES
  (1, '6df767ad-4daa-4ac4-b136-b24cfe33a500', 13);
INSERT INTO sessions (session, session_id, proxy_device_id, metadata, config, created_at, closed_at, head, head_hash, oldest, base_hash) VALUES
  (1, 'a', 'proxy', '{"agent_type":"codex"}', NULL, 1, NULL, 11, X'5ff2c8c7471535cb94643cfef4730f029436d17cfed1f077e2d1d6921dffaa78', 1, X'0000000000000000000000000000000000000000000000000000000000000000'),
  (2, 'b', 'other', '{"agent_type":"codex"}', NULL, 1, 20, 3, X'46759cc3fb5954dccf5d8b70cb1c3ec33d52151ae6ced879fc84d3cfb03dbce0', 2, X'49d1b0cbf30a4d8499686ec369153ab5c96aeacc3ad4035f97ca4f0a1af85477');
INSERT INTO events (event, session, sequence, event_id, type, at, message_id, payload, prev_hash, hash) VALUES
  (1, 1, 1, 'accepted-m1', 'message_accepted', 3, NULL, '{"client_message_id":"m1"}', X'0000000000000000000000000000000000000000000000000000000000000000', X'a134c8b922bd1f44f045cf593135a32a7a0ece46456d2923e50dfb419535aadf'),
  (2, 1, 2, 'said-1', 'message_event', 2, 'm1', '{"message":{"role":"user","content":"hello"}}', X'a134c8b922bd1f44f045cf593135a32a7a0ece46456d2923e50dfb419535aadf', X'09420749e251c5ae0578bc5a2bd24f879864f7485348b9c0957f51f8b844a0d9'),
  (3, 1, 3, 'accepted-m2', 'message_accepted', 3, NULL, '{"client_message_id":"m2"}', X'09420749e251c5ae0578bc5a2bd24f879864f7485348b9c0957f51f8b844a0d9', X'8ad947cc84ffbbfc1f77927a8516d1013ae210802184ca667de39eee91b030cf'),
  (4, 1, 4, 'said-2', 'message_event', 2, 'm2', '{"message":{"role":"user","content":"hello"}}', X'8ad947cc84ffbbfc1f77927a8516d1013ae210802184ca667de39eee91b030cf', X'f4b4c255400ed6cf947ca5a896c189f65387a773b82b4bb4b0a249e0e4c7fcb2'),
  (5, 1, 5, 'accepted-m3', 'message_accepted', 3, NULL, '{"client_message_id":"m3"}', X'f4b4c255400ed6cf947ca5a896c189f65387a773b82b4bb4b0a249e0e4c7fcb2', X'6cedd097a5a27101060e6d3672e631c30e4140e665ffa44da9a77b97673cc8be'),
  (6, 1, 6, 'said-3', 'message_event', 2, 'm3', '{"message":{"role":"user","content":"hello"}}', X'6cedd097a5a27101060e6d3672e631c30e4140e665ffa44da9a77b97673cc8be', X'8019f8acedb589d99b81466fa50f546a7d6d97cc25c4e32f1157ab6c66de00c4'),
  (7, 1, 7, 'accepted-m4', 'message_accepted', 3, NULL, '{"client_message_id":"m4"}', X'8019f8acedb589d99b81466fa50f546a7d6d97cc25c4e32f1157ab6c66de00c4', X'36e7c3557c090839da76566807dd786d3339a46775a2d5c071247c642451a65c'),
  (8, 1, 8, 'said-4', 'message_event', 2, 'm4', '{"message":{"role":"user","content":"hello"}}', X'36e7c3557c090839da76566807dd786d3339a46775a2d5c071247c642451a65c', X'69fc9c5e6f46b68738b4d2aa3e22a990efa8980fb5a2940e87fdb057582210a7'),
  (9, 1, 9, 'delivered-1', 'message_delivered', 2, NULL, '{"client_message_id":"m1"}', X'69fc9c5e6f46b68738b4d2aa3e22a990efa8980fb5a2940e87fdb057582210a7', X'1df69b5acd969d810a30cdbe3813e1a08f626b2d781a40f18935cd8df8de01df'),
  (10, 1, 10, 'failed-2', 'message_failed', 2, NULL, '{"client_message_id":"m2"}', X'1df69b5acd969d810a30cdbe3813e1a08f626b2d781a40f18935cd8df8de01df', X'df84e3a7f02301198c5e6e3e43f48475d6b8f23d21907a0eadb3073d1901c908'),
  (11, 1, 11, 'reply', 'message_event', 2, 'r1', '{"message":{"role":"assistant","content":"Zwölf Äpfel 🍏\nand a \"quote\""}}', X'df84e3a7f02301198c5e6e3e43f48475d6b8f23d21907a0eadb3073d1901c908', X'5ff2c8c7471535cb94643cfef4730f029436d17cfed1f077e2d1d6921dffaa78'),
  (13, 2, 2, 'b2', 'session_status', 2, NULL, '{"event_id":"b2"}', X'49d1b0cbf30a4d8499686ec369153ab5c96aeacc3ad4035f97ca4f0a1af85477', X'326e91280854e7073ebb02a46d3e86851b105280530565160be8dcbb8972c6e9'),
  (14, 2, 3, 'b3', 'session_status', 2, 'old', '{"event_id":"b3"}', X'326e91280854e7073ebb02a46d3e86851b105280530565160be8dcbb8972c6e9', X'46759cc3fb5954dccf5d8b70cb1c3ec33d52151ae6ced879fc84d3cfb03dbce0');
INSERT INTO messages (message, session, client_message_id, identity_hash, device_id, payload, state, attempt, accepted_at, event_id, sequence, expires_at, settled_at, error) VALUES
  (1, 1, 'm1', '20b2dda940d741d9780897200aaef2ef356ab32b38c7de0d94306fb5a66b4a8e', 'phone', '{"content":"hello","created_at":"2026-01-01T00:00:00.000Z"}', 'delivered', 1, 3, 'accepted-m1', 1, NULL, 9, NULL),
  (2, 1, 'm2', '20b2dda940d741d9780897200aaef2ef356ab32b38c7de0d94306fb5a66b4a8e', 'phone', '{"content":"hello","created_at":"2026-01-01T00:00:00.000Z"}', 'failed', 1, 3, 'accepted-m2', 3, NULL, 9, '{"code":"delivery_unknown"}'),
  (3, 1, 'm3', '20b2dda940d741d9780897200aaef2ef356ab32b38c7de0d94306fb5a66b4a8e', 'phone', '{"content":"hello","created_at":"2026-01-01T00:00:00.000Z"}', 'accepted', 1, 3, 'accepted-m3', 5, NULL, NULL, NULL),
  (4, 1, 'm4', '20b2dda940d741d9780897200aaef2ef356ab32b38c7de0d94306fb5a66b4a8e', 'phone', '{"content":"hello","created_at":"2026-01-01T00:00:00.000Z"}', 'accepted', 0, 3, 'accepted-m4', 7, NULL, NULL, NULL);
INSERT INTO prompts (prompt, session, prompt_id, body, state, opened_at, expires_at, settled_at, answer) VALUES
  (1, 1, 'p1', '{"prompt_text":"Run it?"}', 'open', 4, NULL, NULL, NULL);
INSERT INTO launches (launch, request_id, device_id, client_id, proxy_device_id, body, state, launched_at, timeout_at, settled_at, outcome, told) VALUES
  (1, 'r1', 'phone', NULL, 'proxy', '{"agent_type":"codex"}', 'pending', 5, 35, NULL, NULL, 0);
INSERT INTO devices (device_id, roles, label, scopes, token_hash, created_at, last_seen_at, revoked_at) VALUES
  ('phone', '["person"]', 'Phone', '[]', 'abababababababababababababababababababababababababababababababab', 1, 2, NULL);
INSERT INTO files (file_id, session, device_id, name, media_type, bytes, sha256, created_at) VALUES
  ('f1', 1, 'phone', 'a.txt', 'text/plain', 3, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 1);
INSERT INTO audit (number, at, device_id, action, subject, detail) VALUES
  (1, 1, NULL, 'pair', 'phone', '{}');
INSERT INTO settings (key, value) VALUES
  ('example', '30');
INSERT INTO tasks (task, task_id, session, device_id, state, priority, body, revision, created_at, updated_at, settled_at) VALUES
  (1, 't1', 1, 'phone', 'running', 0, '{"query":"buy milk"}', 1, 6, 7, NULL);
INSERT INTO tab_sessions (session, device_id, domain, url, title, is_renamed, tab_id, metadata, created_at, updated_at) VALUES
  (1, 'phone', 'shop.example', 'https://shop.example/', 'shop.example: buy milk', 0, NULL, '{}', 6, 7);

PRAGMA application_id = 1148338802;
PRAGMA user_version = 3;
