import {
  type CreateMcpHandlerOptions,
  createMcpHandler,
  INVALID_REQUEST,
  isInitializeRequest,
  readRequestBody,
  type Server,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { createHttpSessions, type SessionOptions } from './http-sessions.ts';

export type HttpServingOptions = Pick<CreateMcpHandlerOptions, 'onerror' | 'maxRequestBodySize'> &
  Pick<SessionOptions, 'maxSessions' | 'maxReplayBytes'>;

/** A server lives for a `session`, or for one `request` of a client without one. */
export type CreateServer = (life: 'session' | 'request') => Server;

export interface HttpServing {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Notifies listening clients of 2026-07-28; a session's server notifies its own. */
  readonly notify: ServerNotifier;
  readonly close: () => Promise<void>;
}

const MAX_ID_CHARS = 256;

/** Streamable HTTP, whatever the servers offer: sessions up to 2025-11-25, single requests after it. */
export function createHttpServing(create: CreateServer, options: HttpServingOptions = {}): HttpServing {
  const { maxSessions, maxReplayBytes, ...both } = options;
  const sessions = createHttpSessions(() => create('session'), { ...both, maxSessions, maxReplayBytes });
  const requests = createMcpHandler(() => create('request'), both);
  return {
    async fetch(request) {
      const sessionId = request.headers.get('mcp-session-id');
      const body = await jsonOf(request, both.maxRequestBodySize);
      if (hasLongId(body)) return LONG_ID();
      if (sessionId !== null) return sessions.handle(sessionId, request);
      return isInitializeRequest(body) ? sessions.begin(request) : requests.fetch(request);
    },
    notify: requests.notify,
    async close() {
      await sessions.close();
      await requests.close();
    },
  };
}

/** Undefined when it is no JSON, or too long: the transport answers that. */
async function jsonOf(request: Request, maxBytes: number | undefined): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  const body = await readRequestBody(request.clone(), maxBytes);
  if (body.tooLarge) return undefined;
  try {
    return JSON.parse(body.text);
  } catch {
    return undefined;
  }
}

/** An id is stored with its answer, and sent back in it. */
const hasLongId = (body: unknown): boolean =>
  Array.isArray(body)
    ? body.some(hasLongId)
    : typeof body === 'object' &&
      body !== null &&
      'id' in body &&
      typeof body.id === 'string' &&
      body.id.length > MAX_ID_CHARS;

const LONG_ID = (): Response => {
  const message = `Invalid Request: an id has at most ${MAX_ID_CHARS} characters. Use a shorter one.`;
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } },
    { status: 400 },
  );
};
