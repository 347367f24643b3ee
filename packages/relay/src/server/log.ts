type Fact = string | number | boolean;

/** Every log event with its meaning: the source of `docs/reference/log.md`. */
export const LOG_EVENTS = {
  listening: 'The relay accepts connections at `url`; a cluster node adds its `node_id`.',
  waiting:
    'A starting cluster node cannot reach a `part`. Without its `database` it tries again every second, and repeats this each minute; without its `bus` it starts degraded.',
  ledger_rewriting:
    'The ledger of an older version is rewritten once, so that it can shrink: `done` of `bytes` are written.',
  leadership: 'The leader has changed: `kind` is `ours`, `theirs` or `unknown`; `term` counts leaders.',
  chat_opened: 'A person’s screen or a proxy (`role`) of `device_id` has connected to `/ws/chat`.',
  chat_closed: 'A chat connection has ended, with the WebSocket’s close `code`.',
  bridge_opened: 'A browser or an agent (`endpoint`) of `device_id` has connected, by WebSocket or polling.',
  bridge_closed: 'A bridge connection has ended.',
  pusher_opened: 'A Pusher client has connected; it is anonymous until it is authorized for a channel.',
  pusher_closed: 'A Pusher client has disconnected.',
  task_client_opened: 'An extension that takes tasks has connected.',
  task_client_closed: 'A task extension has disconnected, with the WebSocket’s close `code`.',
  credential_refused: 'A caller at `address` sent an invalid token, code or link.',
  device_revoked: 'A person revoked `device_id`; its connections are closed.',
  request_failed: 'An HTTP request was answered with 500: `error`, `code` and `place` say where to look.',
  upgrade_failed: 'A WebSocket could not be opened, for the same reasons.',
  fault:
    'A part of the relay failed, such as the disk or another server; the operation is retried or refused.',
  stopping: 'The relay accepts nothing new and waits for open work.',
  stopped: 'Everything accepted is on the disk.',
} as const;

/** Writes one event. The facts never hold a token, a text that people wrote or a query. */
export type Log = (event: keyof typeof LOG_EVENTS, facts?: Readonly<Record<string, Fact>>) => void;

const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 100;
const MOST_CAUSES = 1_000;

/**
 * Beyond 100 lines of one cause in ten seconds, only their number is logged (`suppressed`), with the next
 * line.
 */
export function createLog(write: (line: string) => void, now: () => number): Log {
  const lines = new Map<string, number>();
  let began = Number.NEGATIVE_INFINITY;

  const put = (at: number, event: string, facts: Readonly<Record<string, Fact>>): void =>
    write(JSON.stringify({ at: new Date(at).toISOString(), event, ...facts }));

  const beginWindow = (at: number): void => {
    for (const [cause, count] of lines) {
      const [event = ''] = cause.split(' ', 1);
      if (count > LINES_PER_WINDOW) put(at, event, { suppressed: count - LINES_PER_WINDOW });
    }
    lines.clear();
    began = at;
  };

  return (event, facts = {}) => {
    const at = now();
    if (at - began >= WINDOW_MS || at < began) beginWindow(at);
    const { device_id = '', address = '', error = '', code = '', place = '' } = facts;
    const whole = `${event} ${device_id} ${address} ${error} ${code} ${place}`;
    const cause = lines.size < MOST_CAUSES || lines.has(whole) ? whole : event;
    const count = (lines.get(cause) ?? 0) + 1;
    lines.set(cause, count);
    if (count <= LINES_PER_WINDOW) put(at, event, facts);
  };
}

/** An error's message may quote a peer's input: its name and code are enough to find it. */
export function errorFacts(error: unknown): Readonly<Record<string, Fact>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return { error: error.name, ...code, ...(place !== undefined && { place: place.trim() }) };
}
