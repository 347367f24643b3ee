import { CHECKED_COLUMNS } from './row-check.ts';

const MESSAGE = `messages.*, row_check(${CHECKED_COLUMNS.messages
  .split(', ')
  .map((column) => `messages.${column}`)
  .join(', ')}) AS computed`;

/** Every read, as one statement: a test asks SQLite for the plan of each, and none may walk a growing table. */
export const QUERIES = {
  session: 'SELECT * FROM sessions WHERE session_id = ?',
  liveSessions: 'SELECT * FROM sessions INDEXED BY sessions_live WHERE closed_at IS NULL ORDER BY session',
  heads: 'SELECT session_id, head, oldest FROM sessions ORDER BY session',
  eventsAfter: 'SELECT * FROM events WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT ?',
  eventsBefore: 'SELECT * FROM events WHERE session = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
  transcriptBefore: `SELECT * FROM events INDEXED BY events_transcript
    WHERE session = ? AND sequence < ? AND message_id IS NOT NULL ORDER BY sequence DESC LIMIT ?`,
  latestOfMessage: `SELECT * FROM events INDEXED BY events_message
    WHERE session = ? AND message_id = ? ORDER BY sequence DESC LIMIT 1`,
  message: `SELECT ${MESSAGE}, session_id FROM sessions CROSS JOIN messages USING (session)
    WHERE session_id = ? AND client_message_id = ?`,
  queuedMessages: `SELECT ${MESSAGE}, session_id
    FROM sessions INDEXED BY sessions_live CROSS JOIN messages INDEXED BY messages_queued USING (session)
    WHERE closed_at IS NULL AND proxy_device_id = ? AND state = 'accepted' ORDER BY message`,
  expiredMessages: `SELECT ${MESSAGE}, session_id
    FROM messages INDEXED BY messages_expiring CROSS JOIN sessions USING (session)
    WHERE state = 'accepted' AND expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
  prompt: `SELECT prompts.*, session_id FROM sessions CROSS JOIN prompts USING (session)
    WHERE session_id = ? AND prompt_id = ? ORDER BY prompt DESC LIMIT 1`,
  unsettledPrompts: `SELECT prompts.*, session_id
    FROM prompts INDEXED BY prompts_unsettled CROSS JOIN sessions USING (session)
    WHERE state IN ('open', 'answering') AND state = ? ORDER BY prompt`,
  pendingLaunches: `SELECT * FROM launches INDEXED BY launches_pending WHERE state = 'pending' ORDER BY launch`,
  pendingLaunch: `SELECT * FROM launches INDEXED BY launches_pending WHERE state = 'pending' AND request_id = ?`,
  untoldLaunches: `SELECT * FROM launches INDEXED BY launches_untold
    WHERE state <> 'pending' AND told = 0 AND device_id = ? ORDER BY launch`,
  device: 'SELECT * FROM devices WHERE device_id = ?',
  deviceByToken: 'SELECT * FROM devices WHERE token_hash = ?',
  devices: 'SELECT * FROM devices ORDER BY device_id',
  file: 'SELECT files.*, session_id FROM files LEFT JOIN sessions USING (session) WHERE file_id = ?',
  auditBefore: 'SELECT * FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?',
  setting: 'SELECT value FROM settings WHERE key = ?',
} as const;
