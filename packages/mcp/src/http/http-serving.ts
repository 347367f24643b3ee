import {
  type CreateMcpHandlerOptions,
  createMcpHandler,
  isInitializeRequest,
  readRequestBody,
  type Server,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { createHttpSessions, type SessionOptions } from './http-sessions.ts';

export type HttpServingOptions = Pick<CreateMcpHandlerOptions, 'onerror' | 'maxRequestBodySize'> &
  Pick<SessionOptions, 'maxSessions'>;

/** A server lives for a `session`, or for one `request` of a client without one. */
export type CreateServer = (life: 'session' | 'request') => Server;

export interface HttpServing {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Notifies listening clients of 2026-07-28; a session's server notifies its own. */
  readonly notify: ServerNotifier;
  readonly close: () => Promise<void>;
}

/** Streamable HTTP for any servers: sessions up to 2025-11-25, single requests after it. */
export function createHttpServing(create: CreateServer, options: HttpServingOptions = {}): HttpServing {
  const { maxSessions, ...both } = options;
  const sessions = createHttpSessions(() => create('session'), { ...both, maxSessions });
  const requests = createMcpHandler(() => create('request'), both);
  return {
    async fetch(request) {
      const sessionId = request.headers.get('mcp-session-id');
      if (sessionId !== null) return sessions.handle(sessionId, request);
      if (await isInitialize(request, both.maxRequestBodySize)) return sessions.begin(request);
      return requests.fetch(request);
    },
    notify: requests.notify,
    async close() {
      await sessions.close();
      await requests.close();
    },
  };
}

async function isInitialize(request: Request, maxBytes: number | undefined): Promise<boolean> {
  if (request.method !== 'POST') return false;
  const body = await readRequestBody(request.clone(), maxBytes);
  if (body.tooLarge) return false;
  try {
    return isInitializeRequest(JSON.parse(body.text));
  } catch {
    return false;
  }
}
