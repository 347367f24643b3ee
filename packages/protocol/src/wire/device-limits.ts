/**
 * Every limit on one device, one address or one unauthenticated peer. `docs/reference/limits.md` is generated
 * from this table, and `/metrics` shows it.
 */
export interface DeviceLimit {
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
}

const limit = (value: number, unit: string, meaning: string): DeviceLimit => ({ value, unit, meaning });

const MB = 1_048_576;

export const DEVICE_LIMITS = {
  failures_per_minute: limit(10, 'a minute', 'wrong credentials of one address, or one of many addresses'),
  connections_per_address: limit(256, 'connections', 'TCP connections of one address without a credential'),
  pipelined_requests: limit(8, 'requests', 'unanswered requests on one connection; one more closes it'),
  body_pieces: limit(
    256,
    'pieces',
    'chunks of one body beyond one for each 256 bytes; one more closes its connection',
  ),
  stranger_requests_per_second: limit(
    200,
    'a second',
    'HTTP requests of one address without a credential: more wait up to 5 s, then are refused',
  ),
  stranger_request_burst: limit(400, 'requests', 'HTTP requests of one address without a credential at once'),
  body_seconds: limit(30, 'seconds', 'time for the body of a request, except uploads'),
  strangers: limit(50, 'sockets', 'sockets without a credential, together'),
  person_sockets: limit(32, 'sockets', 'chat, Pusher or task sockets of a device'),
  proxy_sockets: limit(8, 'sockets', 'chat sockets of a proxy'),
  bridge_sockets: limit(
    16,
    'connections',
    'bridge connections of a device at one endpoint, polling included',
  ),
  frame_unit: limit(4_096, 'characters', 'counts as one frame: a longer frame counts as several'),
  history_unit: limit(65_536, 'characters', 'of history that a device is sent count as one of its frames'),
  browser_frames_per_second: limit(100, 'a second', 'frames of a person, and messages of a task client'),
  browser_burst: limit(200, 'frames', 'frames of a person at once'),
  proxy_frames_per_second: limit(2_000, 'a second', 'frames of a proxy'),
  bridge_frames_per_second: limit(500, 'a second', 'frames of a runtime or an agent'),
  bridge_burst: limit(500, 'frames', 'frames of a runtime or an agent at once'),
  request_unit: limit(65_536, 'bytes', 'of a body count as one request: a longer body counts as several'),
  requests_per_second: limit(100, 'a second', 'HTTP requests of a device, MCP and polling included'),
  request_burst: limit(200, 'requests', 'HTTP requests of a device at once'),
  open_requests: limit(128, 'requests', 'unanswered HTTP requests of a device, streams included'),
  refusals_per_second: limit(20, 'a second', 'refusals that are answered at once; more wait a second'),
  loop_percent: limit(25, 'percent', 'event-loop time that the frames of a device take at one endpoint'),
  bytes_in_flight: limit(
    32 * MB,
    'bytes',
    'queued input and unread output of a device, over all its connections',
  ),
  interact_calls_per_minute: limit(300, 'a minute', 'interact calls of a device'),
  unread_bytes: limit(MB, 'bytes', 'live events that a peer leaves unread'),
  unread_events: limit(1_000, 'events', 'live events that a peer leaves unread'),
  unread_answer_bytes: limit(16 * MB, 'bytes', 'answers that a peer leaves unread'),
  runtimes: limit(128, 'runtimes', 'tabs that a device lends at the same time'),
  map_bytes: limit(16 * MB, 'characters', 'the maps and descriptions of all runtimes of a device'),
  pending_calls: limit(64, 'calls', 'unanswered calls of a device at one runtime'),
  questions_per_minute: limit(60, 'a minute', 'questions of a runtime to people'),
  open_questions: limit(16, 'questions', 'open questions to people about calls of an agent'),
  open_prompts: limit(100, 'prompts', 'open prompts of a proxy or a browser'),
  pending_launches: limit(20, 'launches', 'agents that a device has launched and that have not started'),
  scheduled_sends: limit(100, 'sends', 'sends that a device has scheduled and that have no outcome'),
  open_tabs: limit(40, 'tabs', 'tabs that an agent has opened and that are still open'),
  tabs_per_hour: limit(120, 'an hour', 'tabs that an agent opens'),
  uploads_per_hour: limit(60, 'an hour', 'files that an agent gives to pages'),
  downloads_per_day: limit(200, 'a day', 'files that pages save in a lent browser'),
  download_bytes_per_day: limit(1_024 * MB, 'bytes a day', 'files that pages save in a lent browser'),
  mcp_sessions: limit(32, 'sessions', 'MCP sessions of a device; the least recently used one is closed'),
  mcp_replay_bytes: limit(8 * MB, 'bytes', 'MCP answers of a device that are stored for resuming a stream'),
  agent_open_tasks: limit(20, 'tasks', 'open tasks of an agent'),
  person_open_tasks: limit(200, 'tasks', 'open tasks of a person'),
  agent_tasks_per_minute: limit(30, 'a minute', 'tasks of an agent'),
  person_tasks_per_minute: limit(120, 'a minute', 'tasks of a person'),
  ledger_bytes_per_day: limit(256 * MB, 'bytes a day', 'bytes that a device adds to the ledger'),
  proxy_ledger_bytes_per_day: limit(4_096 * MB, 'bytes a day', 'bytes that a proxy adds to the ledger'),
  open_uploads: limit(4, 'uploads', 'files that a device sends at the same time'),
  file_bytes: limit(50 * MB, 'bytes', 'one file'),
  device_bytes: limit(1_024 * MB, 'bytes', 'all files of a device'),
} as const satisfies Record<string, DeviceLimit>;
