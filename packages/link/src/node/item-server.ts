import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import { LIMITS } from '@drawbridge/protocol';
import { WebSocketServer } from 'ws';
import { ConnectionHub, type HubOptions, type Peer } from '../connection-hub.ts';
import type { HeartbeatOptions } from '../frame-session.ts';
import { createPollingServer, type PollingServer } from './polling-server.ts';
import { bearerOf, type GuardOptions, isFromHere } from './request-guard.ts';
import { acceptWebSocket, pickSubprotocol } from './websocket-server.ts';

export type Endpoint = 'runtime' | 'agent';

export interface ItemServerOptions extends HubOptions, HeartbeatOptions {
  /** The credential id of a token that may connect in this role. Compare in constant time. */
  readonly authorize: (token: string, endpoint: Endpoint) => string | undefined | Promise<string | undefined>;
  /** A loopback address; any other is refused, because there is no TLS here. */
  readonly host?: string;
  readonly port?: number;
  readonly hosts?: ReadonlySet<string>;
  readonly origins?: ReadonlySet<string>;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const PATHS: ReadonlyMap<string, Endpoint> = new Map([
  ['/ws/runtime', 'runtime'],
  ['/ws/agent', 'agent'],
  ['/bridge/runtime/items', 'runtime'],
  ['/bridge/agent/items', 'agent'],
]);

/** Serves bridge items over WebSocket and HTTP polling, for local programs. */
export async function serveItems(options: ItemServerOptions): Promise<ItemServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  if (!LOOPBACK.includes(host)) {
    throw new Error(
      `Refusing to listen on ${host}: only ${LOOPBACK.join(' or ')}. Put a relay with TLS in front.`,
    );
  }
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no TCP port.');
  return new ItemServer(server, address.port, options);
}

export class ItemServer implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #options: ItemServerOptions;
  readonly #guard: GuardOptions;
  readonly #hub: ConnectionHub;
  readonly #poll: PollingServer;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    // `ws` counts bytes, the limit characters, each up to three bytes.
    maxPayload: 3 * LIMITS.frame.value,
    handleProtocols: pickSubprotocol,
  });
  #closing: Promise<void> | undefined;

  constructor(server: Server, port: number, options: ItemServerOptions) {
    this.port = port;
    this.#server = server;
    this.#options = options;
    this.#guard = { ...options, port };
    this.#hub = new ConnectionHub(options);
    this.#poll = createPollingServer({ hub: this.#hub });
    server.on('request', (request, response) => void this.#answer(request, response));
    server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    if (!isFromHere(request, this.#guard)) return end(response, 403);
    allowOrigin(request, response);
    if (request.method === 'OPTIONS') return end(response, 204);
    const peer = await this.#peerOf(request, '/bridge/');
    if (typeof peer === 'number') return end(response, peer);
    const hungUp = new AbortController();
    response.on('close', () => hungUp.abort());
    try {
      const answer = await this.#poll(webRequest(request, hungUp.signal), peer);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    } catch {
      // The peer closed the connection during its body.
      response.destroy();
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {});
    const peer = isFromHere(request, this.#guard) ? await this.#peerOf(request, '/ws/') : 403;
    if (typeof peer === 'number') {
      socket.end(`HTTP/1.1 ${peer} ${STATUS_CODES[peer]}\r\nConnection: close\r\n\r\n`);
      return;
    }
    if (this.#closing !== undefined) {
      socket.destroy();
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (accepted) =>
      acceptWebSocket(accepted, { ...this.#options, hub: this.#hub, peer }),
    );
  }

  /** Or the status of a refusal. BRG-115: a wrong path, no token and a wrong token look the same. */
  async #peerOf(request: IncomingMessage, prefix: string): Promise<Peer | 401 | 503> {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const endpoint = path.startsWith(prefix) ? PATHS.get(path) : undefined;
    const token = bearerOf(request);
    if (endpoint === undefined || token === undefined) return 401;
    try {
      const credential_id = await this.#options.authorize(token, endpoint);
      return credential_id === undefined ? 401 : { credential_id, endpoint };
    } catch {
      // Not the peer's fault, and not final: it may retry.
      return 503;
    }
  }

  async #shutDown(): Promise<void> {
    this.#hub.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    await closed;
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  response.setHeader('access-control-allow-methods', 'GET, POST');
  response.setHeader('vary', 'origin');
}

function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/' } = request;
  const body = method === 'POST' ? { body: Readable.toWeb(request), duplex: 'half' as const } : {};
  return new Request(new URL(url, 'http://localhost'), { method, signal, ...body });
}
