/** A send without its payload. */
const WAITING = 'm.session_id, client_message_id, attempt, sequence, expires_at, length(m.payload) AS chars';

/** A page of events ends early at this many characters; `head` or `oldest` show that there is more. */
const page = (where: string, order: 'ASC' | 'DESC') => `
  SELECT s.head, s.oldest, e.* FROM sessions s LEFT JOIN LATERAL (
    SELECT * FROM (
      SELECT *, sum(length(payload)) OVER (ORDER BY sequence ${order}) - length(payload) AS chars_before FROM (
        SELECT * FROM events WHERE session_id = $1 AND ${where} ORDER BY sequence ${order} LIMIT greatest($3::bigint, 0)
      ) found
    ) counted WHERE chars_before <= 8388608
  ) e ON true WHERE s.session_id = $1 ORDER BY sequence`;

/** The tab session used last among `which`; at the same time the later session's. */
const latestTab = (which = 'true') => `
  SELECT t.* FROM tab_sessions t JOIN sessions USING (session_id)
  WHERE ${which} AND updated_at = (SELECT max(updated_at) FROM tab_sessions WHERE ${which})
  ORDER BY session DESC LIMIT 1`;

/** Every read as one statement. */
export const QUERIES = {
  session: 'SELECT * FROM sessions WHERE session_id = $1',
  liveSessions: 'SELECT * FROM sessions WHERE closed_at IS NULL ORDER BY session',
  heads: 'SELECT session_id, head, oldest FROM sessions ORDER BY session',
  eventsAfter: page('sequence > $2', 'ASC'),
  eventsBefore: page('sequence < $2', 'DESC'),
  transcriptBefore: page('sequence < $2 AND message_id IS NOT NULL', 'DESC'),
  latestOfMessage:
    'SELECT * FROM events WHERE session_id = $1 AND message_id = $2 ORDER BY sequence DESC LIMIT 1',
  countMessages: 'SELECT count(DISTINCT message_id) AS messages FROM events WHERE session_id = $1',
  search: `SELECT * FROM events e
    WHERE message_id IS NOT NULL AND search_words(payload) @@ $1::tsquery
      AND ($2::text IS NULL OR session_id IN (SELECT jsonb_array_elements_text($2::jsonb)))
      AND sequence = (SELECT max(sequence) FROM events n
        WHERE n.session_id = e.session_id AND n.message_id = e.message_id)
    ORDER BY at DESC, sequence DESC LIMIT greatest($3::bigint, 0)`,
  message: 'SELECT * FROM messages WHERE session_id = $1 AND client_message_id = $2',
  queuedMessages: `SELECT ${WAITING} FROM sessions s JOIN messages m USING (session_id)
    WHERE closed_at IS NULL AND proxy_device_id = $1 AND state = 'accepted' ORDER BY message`,
  expiredMessages: `SELECT ${WAITING} FROM messages m
    WHERE state = 'accepted' AND expires_at IS NOT NULL AND expires_at <= $1 ORDER BY expires_at, message LIMIT $2`,
  prompt: 'SELECT * FROM prompts WHERE session_id = $1 AND prompt_id = $2 ORDER BY prompt DESC LIMIT 1',
  unsettledPrompts:
    "SELECT * FROM prompts WHERE state IN ('open', 'answering') AND state = $1 ORDER BY prompt",
  pendingLaunches: "SELECT * FROM launches WHERE state = 'pending' ORDER BY launch",
  unreportedLaunches:
    "SELECT * FROM launches WHERE state <> 'pending' AND told = 0 AND device_id = $1 ORDER BY launch",
  device: 'SELECT * FROM devices WHERE device_id = $1',
  deviceByToken: 'SELECT * FROM devices WHERE token_hash = $1',
  devices: 'SELECT * FROM devices ORDER BY device_id',
  file: 'SELECT * FROM files WHERE file_id = $1',
  filesOf: 'SELECT * FROM files WHERE session_id = $1 ORDER BY file_id',
  hasContent: 'SELECT 1 FROM files WHERE sha256 = $1 LIMIT 1',
  auditBefore: 'SELECT * FROM audit WHERE number < $1 ORDER BY number DESC LIMIT greatest($2::bigint, 0)',
  setting: 'SELECT * FROM settings WHERE key = $1',
  settingsUnder: 'SELECT * FROM settings WHERE key >= $1 AND key < $2 ORDER BY key',
  task: 'SELECT * FROM tasks WHERE task_id = $1',
  openTasks: 'SELECT * FROM tasks WHERE settled_at IS NULL ORDER BY task',
  tasksBefore: `SELECT * FROM tasks WHERE task < (SELECT task FROM tasks WHERE task_id = $1)
    ORDER BY task DESC LIMIT greatest($2::bigint, 0)`,
  latestTasks: 'SELECT * FROM tasks ORDER BY task DESC LIMIT greatest($1::bigint, 0)',
  tabSession: 'SELECT * FROM tab_sessions WHERE session_id = $1',
  latestTabSession: latestTab(),
  latestTabOfDevice: latestTab('device_id = $1'),
  latestTabOfDomain: latestTab('domain = $1'),
  latestTabOfBoth: latestTab('device_id = $1 AND domain = $2'),
  tabSessionsOf: `SELECT t.* FROM tab_sessions t JOIN sessions USING (session_id) WHERE device_id = $1
    ORDER BY updated_at DESC, session DESC LIMIT greatest($2::bigint, 0)`,
} as const;
