type Fact = string | number | boolean;

/** All that a relay logs, by name, with what each line means: `docs/reference/log.md` is made of it. */
export const LOG_EVENTS = {
  listening: 'It takes connections at `url`; one of several relays says its `node_id`.',
  keeping: 'One of several relays: whether it keeps the house now (`kind`), and since which `term`.',
  chat_opened: 'A person’s screen or a proxy (`role`) of `device_id` has connected to `/ws/chat`.',
  chat_closed: 'It has gone, with the WebSocket’s close `code`.',
  bridge_opened: 'A browser or an agent (`door`) of `device_id` has connected, by WebSocket or polling.',
  bridge_closed: 'It has gone.',
  pusher_opened: 'A Pusher client has connected; it is nobody until it signs a channel.',
  pusher_closed: 'It has gone.',
  task_client_opened: 'An extension that takes tasks has connected.',
  task_client_closed: 'It has gone, with the WebSocket’s close `code`.',
  credential_refused: 'Somebody at `address` came with a token, code or link that is not valid.',
  device_revoked: 'A person took the access of `device_id` away; what it had open is closed.',
  request_failed: 'An HTTP request was answered with 500: `error`, `code` and `place` say where to look.',
  upgrade_failed: 'A WebSocket could not be opened, for the same reasons.',
  fault:
    'Something of our own failed, as the disk or another server; what was being done is tried again or refused.',
  stopping: 'It takes nothing new, and waits for what is under way.',
  stopped: 'All that was accepted is on the disk.',
} as const;

/** One thing that happened. A token, a text that people wrote or a query is never among the facts. */
export type Log = (event: keyof typeof LOG_EVENTS, facts?: Readonly<Record<string, Fact>>) => void;

const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 100;
const MOST_CAUSES = 1_000;

/** Beyond 100 lines of one cause in ten seconds, only their number is logged (`suppressed`), with the next line. */
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

/** An error's own words may quote what a peer sent: its name and code are enough to look for it. */
export function faultFacts(error: unknown): Readonly<Record<string, Fact>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return { error: error.name, ...code, ...(place !== undefined && { place: place.trim() }) };
}
