import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { bearerOf, type Door, pickSubprotocol } from '@drawbridge/link/node';
import { LIMITS } from '@drawbridge/protocol';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE_CODES } from '../core/connection.ts';
import type { Shown } from '../devices/door.ts';
import type { PusherPort } from '../pusher/pusher-port.ts';
import type { TaskClients } from '../task-clients/task-clients.ts';
import { isTaskPath, taskTokenOf } from '../task-clients/task-token.ts';
import type { BridgePorts } from './bridge/bridge-ports.ts';
import type { ChatPort } from './chat/chat-port.ts';
import type { Credentials } from './guard/credentials.ts';
import { isUnforwarded, UNFORWARDED } from './guard/forwarding.ts';
import { type GuardOptions, isFromOtherPage, originOf, type RequestOrigin } from './guard/request-origin.ts';
import { SECURITY_HEADERS } from './guard/security-headers.ts';
import { faultFacts, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { RelayEnv } from './relay-env.ts';

export interface FrontDoorOptions {
  readonly app: Hono<RelayEnv>;
  readonly guard: GuardOptions;
  readonly trustedProxy: boolean;
  readonly credentials: Credentials;
  readonly chat: ChatPort;
  readonly bridgePorts: BridgePorts;
  readonly pusher: PusherPort | undefined;
  /** Undefined when it is not switched on. */
  readonly taskClients: TaskClients | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface FrontDoor {
  readonly request: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Ends what a revoked device is still being answered, or still sends. */
  readonly dismiss: (device_id: string) => void;
  /** Nobody else is let in. */
  readonly shut: () => void;
  /** Ends the sockets that are left. */
  readonly terminate: () => void;
}

const BRIDGE_DOORS: ReadonlyMap<string, Door> = new Map([
  ['/ws/runtime', 'runtime'],
  ['/ws/agent', 'agent'],
]);
/** A frame in as many parts is an attack: no client sends a megabyte by the kilobyte. */
const MAX_FRAGMENTS = 1_024;

/** Host, Origin and credential of all that comes in, before anything looks at it. */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const { app, guard, trustedProxy, credentials, chat, bridgePorts, pusher, taskClients, metrics, log } =
    options;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // `ws` counts bytes, the limit characters, of which each takes up to three.
    maxPayload: 3 * LIMITS.frame.value,
    maxFragments: MAX_FRAGMENTS,
    handleProtocols: pickSubprotocol,
    // The answers to a flood of pings would pile up for a peer that does not read.
    autoPong: false,
  });
  const answering = new Map<ServerResponse, IncomingMessage>();
  let isShut = false;

  const refused = (status: number, reason: string): number => {
    metrics.figure('refused_total', { reason })();
    return status;
  };

  /** TSK-26: an extension shows its token in the URL, whatever its Origin. */
  const isForTasks = (request: IncomingMessage): boolean =>
    taskClients !== undefined &&
    request.headers.upgrade !== undefined &&
    isTaskPath(pathOf(request)) &&
    taskTokenOf(request) !== undefined;

  /** Nor can a Pusher client: it shows the key, and is let in to each private channel with a token. */
  const isForPusher = (request: IncomingMessage): boolean =>
    request.headers.upgrade !== undefined && pusher?.isOurs(pathOf(request)) === true;

  /** Or the status to refuse it with. */
  const enter = (request: IncomingMessage): RequestOrigin | number => {
    const origin = originOf(request, guard);
    if (origin === undefined) return refused(403, 'host');
    if (trustedProxy && isUnforwarded(request)) return refused(403, 'unforwarded');
    if (bearerOf(request) !== undefined || isForTasks(request) || isForPusher(request)) return origin;
    if (request.method === 'OPTIONS' && isOpenToTokens(request)) return origin;
    if (isFromExtension(request) && isPairing(request)) return origin;
    const isElsewhere =
      origin === 'foreign' || (isFromOtherPage(request) && pathOf(request).startsWith('/api/'));
    return isElsewhere ? refused(403, 'origin') : origin;
  };

  const request = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    answering.set(outgoing, incoming);
    outgoing.on('close', () => answering.delete(outgoing));
    for (const [name, value] of SECURITY_HEADERS) outgoing.setHeader(name, value);
    const origin = enter(incoming);
    if (typeof origin === 'number') {
      const error = { code: 'forbidden', message: UNFORWARDED };
      const isProxys = trustedProxy && isUnforwarded(incoming);
      return void outgoing.writeHead(origin).end(isProxys ? JSON.stringify({ error }) : undefined);
    }
    if (origin === 'allowed' || (origin === 'foreign' && isOpenToTokens(incoming))) {
      allowOrigin(incoming, outgoing);
    }
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204).end();
    const fetch = (asked: Request) => app.fetch(asked, { incoming, outgoing, origin });
    await getRequestListener(fetch)(incoming, outgoing);
  };

  const taskPlaceFor = (shown: Shown): ((socket: WebSocket) => void) | number => {
    if (isShut) return refused(503, 'stopping');
    if (shown === 'limited') return refused(429, 'limited');
    if (taskClients === undefined || shown === undefined || shown === 'refused') {
      return refused(401, 'credential');
    }
    if (!taskClients.hasRoomFor(shown)) return refused(429, 'sockets');
    return (socket) => taskClients.take(socket, shown);
  };

  /** What takes the socket, or the status to refuse it with. A wrong path and a wrong token look the same. */
  const placeFor = (
    url: string,
    origin: RequestOrigin,
    shown: Shown,
  ): ((socket: WebSocket, stream: Duplex) => void) | number => {
    if (isShut) return refused(503, 'stopping');
    if (shown === 'limited') return refused(429, 'limited');
    if (shown === 'refused') return refused(401, 'credential');
    const path = url.split('?', 1)[0] ?? '';
    if (pusher !== undefined && path.startsWith('/app/')) {
      return pusher.hasRoom() ? (socket) => pusher.take(socket, url) : refused(503, 'strangers');
    }
    if (path === '/ws/chat') {
      if (shown === undefined && origin === 'none') return refused(401, 'credential');
      if (!chat.hasRoomFor(shown)) {
        return shown === undefined ? refused(503, 'strangers') : refused(429, 'sockets');
      }
      return (socket, stream) => chat.take(socket, stream, shown);
    }
    const door = BRIDGE_DOORS.get(path);
    if (shown === undefined || door === undefined) return refused(401, 'credential');
    if (!bridgePorts.admits(shown, door)) return refused(403, 'role');
    return (socket) => bridgePorts.take(socket, shown, door);
  };

  const upgrade = async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => {});
    const origin = enter(incoming);
    if (typeof origin === 'number') return end(socket, origin);
    const isTask = isForTasks(incoming);
    const shown = await (isTask ? credentials.identifyForTasks : credentials.identify)(incoming, origin);
    // Nothing is waited for from here on: a device that is revoked meanwhile, or one stranger too many, would slip in.
    const place = isTask ? taskPlaceFor(shown) : placeFor(incoming.url ?? '', origin, shown);
    if (place === 401 && shown === 'refused' && isTold(incoming, origin)) {
      sockets.handleUpgrade(incoming, socket, head, (accepted) =>
        accepted.close(CLOSE_CODES.unauthorized, 'unauthorized'),
      );
    } else if (typeof place === 'number') end(socket, place);
    else sockets.handleUpgrade(incoming, socket, head, (accepted) => place(accepted, socket));
  };

  return {
    request: (incoming, outgoing) => {
      request(incoming, outgoing).catch((error: unknown) => {
        log('request_failed', faultFacts(error));
        outgoing.destroy();
      });
    },
    upgrade: (incoming, socket, head) => {
      upgrade(incoming, socket, head).catch((error: unknown) => {
        log('upgrade_failed', faultFacts(error));
        end(socket, 503);
      });
    },
    dismiss(device_id) {
      for (const [outgoing, incoming] of answering) {
        if (credentials.deviceOf(incoming) !== device_id) continue;
        const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
        // What came whole and is no reading may be the request that revokes: it gets its answer.
        if (outgoing.headersSent || isRead || !incoming.complete) outgoing.destroy();
      }
    },
    shut() {
      isShut = true;
      // A connection that is kept for the next request would keep the server from closing.
      for (const outgoing of answering.keys()) outgoing.shouldKeepAlive = false;
    },
    terminate() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

/** INT-71: an extension calls these with its token, from whatever Origin it has. No browser sends a token unasked. */
const isOpenToTokens = (request: IncomingMessage): boolean =>
  isFromExtension(request)
    ? pathOf(request).startsWith('/api/')
    : /^\/api\/(?:agent\/interact$|session\/|pusher\/)/.test(pathOf(request));

/** No page has such an Origin. */
const isFromExtension = ({ headers }: IncomingMessage): boolean =>
  /^chrome-extension:\/\/[a-z]{1,64}$/.test(headers.origin ?? '');

/** It has no token before it is paired: the secret of its link is what lets it in, and never for a cookie. */
const isPairing = (request: IncomingMessage): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/pair';

/**
 * CHT-288: a WebSocket of a browser does not show a status (https://websockets.spec.whatwg.org/#feedback-from-the-protocol), so that a device
 * that was revoked would come back for ever. A page of somebody else is told nothing.
 */
const isTold = (request: IncomingMessage, origin: RequestOrigin): boolean =>
  /(?:^|[ ,])bearer\./.test(request.headers['sec-websocket-protocol'] ?? '') &&
  (origin !== 'foreign' || isFromExtension(request));

function end(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function allowOrigin({ headers: { origin = '' } }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, idempotency-key, mcp-protocol-version, mcp-session-id',
  );
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  response.setHeader('vary', 'origin');
}
