import { RecentMap } from '@drawbridge/base';
import type { ConnectionHub, HubConnection, Peer } from '../connection-hub.ts';
import { BATCH_MAX_ITEMS, batchOf, type OutboxEntry } from '../outbox.ts';
import { POLL_WAIT_MS } from '../polling-requests.ts';
import { type PostAnswer, parsePost } from '../polling-wire.ts';
import { transportFailed } from '../transport-error.ts';

export interface PollingServerOptions {
  readonly hub: ConnectionHub;
  readonly maxBodyBytes?: number;
}

/** Answers one request of an authenticated peer. `turn` resolves when its rate limit allows the size. */
export type PollingServer = (
  request: Request,
  peer: Peer,
  turn?: (items: number, chars: number) => Promise<void>,
) => Promise<Response>;

/** A POST of the largest items, each character three bytes. */
const MAX_BODY_BYTES = 8 * 1_048_576;
/** Remembered closed links, so that their peers learn of the close. */
const MAX_CLOSED = 64;

/** A link closed here: items not fetched yet, and the number of received ones. */
interface Closed {
  readonly peer: Peer;
  readonly entries: readonly OutboxEntry[];
  readonly received: number;
  readonly until: number;
}

export function createPollingServer({
  hub,
  maxBodyBytes = MAX_BODY_BYTES,
}: PollingServerOptions): PollingServer {
  const waiting = new Map<string, () => void>();
  const closed = new RecentMap<string, Closed>(MAX_CLOSED);

  const wake = (id: string) => waiting.get(id)?.();

  const bury = ({ id, peer, link }: HubConnection) => {
    const until = hub.clock.now() + hub.retainMs;
    closed.set(id, { peer, entries: link.outbox.after(0), received: link.received, until });
  };

  const closedOf = (peer: Peer, id: string): Closed | undefined => {
    for (const [each, { until }] of closed) if (until <= hub.clock.now()) closed.delete(each);
    const found = closed.get(id);
    const isOwn = found?.peer.credential_id === peer.credential_id && found.peer.endpoint === peer.endpoint;
    return isOwn ? found : undefined;
  };

  const open = (peer: Peer): HubConnection | undefined => {
    const connection = hub.open(peer);
    if (connection === undefined) return undefined;
    const { id, link } = connection;
    connection.attach(() => wake(id));
    link.carry({ deliver: () => wake(id), goodbye: () => bury(connection) });
    link.become({ kind: 'open', resumed: false, connection_id: id });
    return connection;
  };

  const post: PollingServer = async (request, peer, turn) => {
    const text = await bodyOf(request, maxBodyBytes);
    if (text === undefined) return refuse(413, `A body may have ${maxBodyBytes} bytes.`);
    const body = parsePost(text);
    if (body === undefined) return refuse(400, 'Send one item, a list of items, or {"items": […]}.');
    await turn?.(body.items.length, text.length);
    const id = body.connection_id ?? queryOf(request).get('connection_id') ?? undefined;
    const connection = id === undefined ? open(peer) : hub.find(peer, id);
    if (connection === undefined) {
      if (id === undefined) return refuse(429, 'Too many connections of this credential. Close one first.');
      const buried = closedOf(peer, id);
      return buried === undefined ? unknown() : accepted({ connection_id: id, received: buried.received });
    }
    const { link } = connection;
    const { after = link.received } = body;
    connection.touch();
    // After a gap nothing is taken: the answer says where to continue. Earlier items are not taken twice.
    if (after <= link.received) {
      for (const item of body.items.slice(link.received - after)) link.receive(textOf(item));
    }
    const answer = { connection_id: connection.id, received: link.received };
    if (body.close) {
      const evidence = { reason: 'closed_by_peer', connection_id: connection.id };
      link.end('closed_by_peer', transportFailed('The peer closed the connection.', evidence));
    }
    return accepted(answer);
  };

  const get = async (request: Request, peer: Peer): Promise<Response> => {
    const query = queryOf(request);
    const id = query.get('connection_id') ?? '';
    const after = countOf(query.get('after') ?? '0');
    const waitMs = countOf(query.get('wait_ms') ?? String(POLL_WAIT_MS));
    const limit = countOf(query.get('limit') ?? String(BATCH_MAX_ITEMS));
    if (after === undefined || waitMs === undefined || limit === undefined || limit === 0) {
      return refuse(400, '`after`, `wait_ms` and `limit` must be whole numbers, `limit` at least 1.');
    }
    const most = Math.min(limit, BATCH_MAX_ITEMS);
    const connection = hub.find(peer, id);
    if (connection === undefined) return ending(peer, id, after, most);
    const { link } = connection;
    if (!link.outbox.canResumeAfter(after)) {
      return refuse(409, '`after` must be the `last` of an earlier answer, and not go back behind another.');
    }
    link.outbox.confirm(after);
    connection.touch();
    if (link.outbox.after(after).length === 0 && !request.signal.aborted) {
      wake(id);
      await woken(id, Math.min(waitMs, POLL_WAIT_MS, hub.retainMs / 2), request.signal);
      connection.touch();
    }
    return link.isClosed
      ? ending(peer, id, after, most)
      : items(batchOf(link.outbox.after(after), most), after, false);
  };

  const ending = (peer: Peer, id: string, after: number, most: number): Response => {
    const buried = closedOf(peer, id);
    if (buried === undefined) return unknown();
    const rest = buried.entries.filter(({ number }) => number > after);
    const batch = batchOf(rest, most);
    return items(batch, after, batch.length === rest.length);
  };

  /** Resolves when something is sent, the time is over, the peer disconnects, or a newer GET replaces this one. */
  const woken = (id: string, waitMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        if (waiting.get(id) === done) waiting.delete(id);
        resolve();
      };
      const cancel = hub.clock.after(waitMs, done);
      signal.addEventListener('abort', done);
      waiting.set(id, done);
    });

  return async (request, peer, turn) => {
    if (request.method === 'POST') return post(request, peer, turn);
    if (request.method === 'GET') return get(request, peer);
    return refuse(405, 'POST items, or GET those that came.');
  };
}

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

const accepted = (answer: PostAnswer): Response => new Response(JSON.stringify(answer), { headers: HEADERS });

function items(batch: readonly OutboxEntry[], after: number, closed: boolean): Response {
  const list = batch.map(({ text }) => text).join();
  const last = batch.at(-1)?.number ?? after;
  return new Response(`{"items":[${list}],"last":${last},"closed":${closed}}`, { headers: HEADERS });
}

function refuse(status: number, message: string): Response {
  const error = transportFailed(message, { status });
  return new Response(JSON.stringify({ error }), { status, headers: HEADERS });
}

const unknown = (): Response =>
  refuse(404, 'There is no such connection of this credential. POST without `connection_id` to open one.');

const queryOf = (request: Request): URLSearchParams => new URL(request.url).searchParams;

function countOf(text: string): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
}

/** Depth is checked with the item; nesting too deep to serialize is not an item. */
function textOf(item: unknown): string {
  try {
    return JSON.stringify(item);
  } catch {
    return '';
  }
}

async function bodyOf(request: Request, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  if (request.body === null) return text;
  for await (const chunk of request.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
