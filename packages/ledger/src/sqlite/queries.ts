import { CHECKED_COLUMNS } from './row-check.ts';

function checkOf(table: keyof typeof CHECKED_COLUMNS): string {
  const columns = CHECKED_COLUMNS[table].split(', ').map((column) => `${table}.${column}`);
  return `row_check(${columns.join(', ')})`;
}

/** All columns of a table, and its recomputed check. */
function all(table: keyof typeof CHECKED_COLUMNS): string {
  return `${table}.*, ${checkOf(table)} AS computed`;
}

/** A send without its payload, which is checked inside SQLite. */
const WAITING = `session_id, client_message_id, attempt, sequence, expires_at, length(payload) AS chars, messages.checked,
    ${checkOf('messages')} AS computed`;

/** The tab session used last among `where`. */
function latestTab(index: string, where = ''): string {
  return `SELECT ${all('tab_sessions')}, session_id
    FROM tab_sessions INDEXED BY ${index} CROSS JOIN sessions USING (session)
    ${where} ORDER BY updated_at DESC, session DESC LIMIT 1`;
}

/** Every read as one statement: a test checks each query plan, and none may scan a growing table. */
export const QUERIES = {
  session: `SELECT ${all('sessions')} FROM sessions WHERE session_id = ?`,
  liveSessions: `SELECT ${all('sessions')} FROM sessions INDEXED BY sessions_live WHERE closed_at IS NULL ORDER BY session`,
  heads: `SELECT ${all('sessions')} FROM sessions ORDER BY session`,
  eventsAfter: 'SELECT * FROM events WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT ?',
  eventsBefore: 'SELECT * FROM events WHERE session = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
  event: 'SELECT * FROM events WHERE session = ? AND sequence = ?',
  unlinkedBefore: `SELECT * FROM events INDEXED BY events_transcript
    WHERE session = ? AND sequence < ? AND message_id IS NOT NULL AND said IS NULL ORDER BY sequence DESC LIMIT ?`,
  unlinkedTranscriptSequence: `SELECT sequence FROM events INDEXED BY events_transcript
    WHERE session = ? AND message_id IS NOT NULL AND said IS NULL ORDER BY sequence DESC LIMIT 1`,
  latestOfMessage: `SELECT * FROM events INDEXED BY events_message
    WHERE session = ? AND message_id = ? AND of_send IS NULL ORDER BY sequence DESC LIMIT 1`,
  countMessages: `SELECT count(DISTINCT message_id) AS messages
    FROM sessions CROSS JOIN events USING (session) WHERE session_id = ?`,
  saidOfSend: `SELECT events.* FROM messages CROSS JOIN events
      ON events.session = messages.session AND events.sequence = messages.sequence + 1
    WHERE messages.session = ? AND client_message_id = ? AND message_id = client_message_id`,
  message: `SELECT ${all('messages')}, session_id FROM sessions CROSS JOIN messages USING (session)
    WHERE session_id = ? AND client_message_id = ?`,
  queuedMessages: `SELECT ${WAITING}
    FROM messages INDEXED BY messages_queued CROSS JOIN sessions USING (session)
    WHERE closed_at IS NULL AND for_proxy = ? AND state = 'accepted' ORDER BY message`,
  expiredMessages: `SELECT ${WAITING}
    FROM messages INDEXED BY messages_expiring CROSS JOIN sessions USING (session)
    WHERE state = 'accepted' AND expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
  prompt: `SELECT ${all('prompts')}, session_id FROM sessions CROSS JOIN prompts USING (session)
    WHERE session_id = ? AND prompt_id = ? ORDER BY prompt DESC LIMIT 1`,
  unsettledPrompts: `SELECT ${all('prompts')}, session_id
    FROM prompts INDEXED BY prompts_unsettled CROSS JOIN sessions USING (session)
    WHERE state IN ('open', 'answering') AND state = ? ORDER BY prompt`,
  pendingLaunches: `SELECT ${all('launches')} FROM launches INDEXED BY launches_pending WHERE state = 'pending' ORDER BY launch`,
  pendingLaunch: `SELECT ${all('launches')} FROM launches INDEXED BY launches_pending WHERE state = 'pending' AND request_id = ?`,
  unreportedLaunches: `SELECT ${all('launches')} FROM launches INDEXED BY launches_untold
    WHERE state <> 'pending' AND told = 0 AND device_id = ? ORDER BY launch`,
  device: `SELECT ${all('devices')} FROM devices WHERE device_id = ?`,
  deviceByToken: `SELECT ${all('devices')} FROM devices WHERE token_hash = ?`,
  devices: `SELECT ${all('devices')} FROM devices ORDER BY device_id`,
  file: `SELECT ${all('files')}, session_id FROM files LEFT JOIN sessions USING (session) WHERE file_id = ?`,
  filesOf: `SELECT ${all('files')}, session_id FROM sessions CROSS JOIN files USING (session) WHERE session_id = ?`,
  hasContent: 'SELECT 1 FROM files WHERE sha256 = ? LIMIT 1',
  auditBefore: `SELECT ${all('audit')} FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?`,
  setting: `SELECT ${all('settings')} FROM settings WHERE key = ?`,
  settingsUnder: `SELECT ${all('settings')} FROM settings WHERE key >= ? AND key < ? ORDER BY key`,
  task: `SELECT ${all('tasks')}, session_id FROM tasks CROSS JOIN sessions USING (session) WHERE task_id = ?`,
  openTasks: `SELECT ${all('tasks')}, session_id
    FROM tasks INDEXED BY tasks_open CROSS JOIN sessions USING (session)
    WHERE settled_at IS NULL ORDER BY task`,
  tasksBefore: `SELECT ${all('tasks')}, session_id FROM tasks CROSS JOIN sessions USING (session)
    WHERE task < (SELECT task FROM tasks WHERE task_id = ?) ORDER BY task DESC LIMIT ?`,
  latestTasks: `SELECT ${all('tasks')}, session_id FROM tasks CROSS JOIN sessions USING (session)
    WHERE task > 0 ORDER BY task DESC LIMIT ?`,
  tabSession: `SELECT ${all('tab_sessions')}, session_id FROM sessions CROSS JOIN tab_sessions USING (session)
    WHERE session_id = ?`,
  latestTabSession: latestTab('tab_sessions_latest', 'WHERE updated_at > 0'),
  latestTabOfDevice: latestTab('tab_sessions_device', 'WHERE device_id = ?'),
  latestTabOfDomain: latestTab('tab_sessions_domain', 'WHERE domain = ?'),
  latestTabOfBoth: latestTab('tab_sessions_both', 'WHERE device_id = ? AND domain = ?'),
  tabSessionsOf: `SELECT ${all('tab_sessions')}, session_id
    FROM tab_sessions INDEXED BY tab_sessions_device CROSS JOIN sessions USING (session)
    WHERE device_id = ? ORDER BY updated_at DESC, session DESC LIMIT ?`,
} as const;
