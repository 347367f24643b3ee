import {
  type Server,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server';
import { createEventLog } from './event-log.ts';

type Transport = WebStandardStreamableHTTPServerTransport;

export interface SessionOptions
  extends Pick<WebStandardStreamableHTTPServerTransportOptions, 'maxRequestBodySize'> {
  readonly onerror?: ((error: Error) => void) | undefined;
  /** Most clients leave silently: the least recently used session is evicted. */
  readonly maxSessions?: number | undefined;
  /** Bounds the answers that all sessions together keep for clients that resume. */
  readonly maxReplayBytes?: number | undefined;
}

const MAX_SESSIONS = 32;
const MAX_REPLAY_BYTES = 8 * 1_048_576;
/** Bounds all sessions together: an event takes memory beside its text. */
const MAX_REPLAY_EVENTS = 4_096;
const RETRY_MS = 1_000;

/**
 * Clients of the revisions up to 2025-11-25: each has a server for its stay, which can ask it, notify it and
 * receive its cancellations, with streams that resume after a lost connection.
 */
export function createHttpSessions(
  create: () => Server,
  { onerror, maxSessions = MAX_SESSIONS, maxReplayBytes = MAX_REPLAY_BYTES, ...options }: SessionOptions = {},
) {
  const replay = createEventLog({ events: MAX_REPLAY_EVENTS, bytes: maxReplayBytes });
  const sessions = new Map<string, Transport>();

  const makeRoom = async (): Promise<void> => {
    for (const transport of sessions.values()) {
      if (sessions.size < maxSessions) return;
      await transport.close();
    }
  };

  return {
    /** A client's first request, `initialize`. */
    async begin(request: Request): Promise<Response> {
      await makeRoom();
      const { store, forget } = replay.open();
      const transport = new WebStandardStreamableHTTPServerTransport({
        ...options,
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => {
          sessions.set(id, transport);
        },
        eventStore: store,
        retryInterval: RETRY_MS,
      });
      transport.onclose = () => {
        sessions.delete(transport.sessionId ?? '');
        forget();
      };
      if (onerror !== undefined) transport.onerror = onerror;
      await create().connect(transport);
      const response = await transport.handleRequest(request);
      if (transport.sessionId === undefined) await transport.close();
      return response;
    },
    async handle(sessionId: string, request: Request): Promise<Response> {
      const transport = sessions.get(sessionId);
      if (transport === undefined) return NOT_FOUND();
      sessions.delete(sessionId);
      sessions.set(sessionId, transport);
      return transport.handleRequest(request);
    },
    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
    },
  };
}

/**
 * A client starts a new session on 404:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
const NOT_FOUND = (): Response =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } },
    { status: 404 },
  );
