import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Endpoint } from '@drawbridge/link/node';
import type { WebSocket } from 'ws';
import { isIdentity, type Shown } from '../devices/auth-middleware.ts';
import type { PusherPort } from '../pusher/pusher-port.ts';
import type { TaskClients } from '../task-clients/task-clients.ts';
import { isTaskPath, taskTokenOf } from '../task-clients/task-token.ts';
import type { BridgePorts } from './bridge/bridge-ports.ts';
import type { ChatPort } from './chat/chat-port.ts';
import { isWebSocket, pathOf } from './guard/open-paths.ts';
import type { Refusal, RefusalReason } from './guard/refusal.ts';
import type { RequestOrigin } from './guard/request-origin.ts';

/** Ports that only the leader has. */
export interface LeaderSockets {
  readonly bridgePorts: BridgePorts;
  /** Undefined where another server has the connections. */
  readonly pusher: PusherPort | undefined;
  /** Undefined when switched off. */
  readonly taskClients: TaskClients | undefined;
}

export interface SocketRoutesOptions {
  readonly chat: ChatPort;
  readonly services: LeaderSockets | undefined;
  readonly isShut: () => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Counts a refusal. */
  readonly refused: (reason: RefusalReason) => Refusal;
}

/** Takes a socket, or says why it is refused. */
export type SocketRoute = ((socket: WebSocket, stream: Duplex) => void) | Refusal;

const BRIDGE_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ['/ws/runtime', 'runtime'],
  ['/ws/agent', 'agent'],
]);
export const CHAT_PATH = '/ws/chat';

/** Which socket goes where. A wrong path and a wrong token look the same. */
export function createSocketRoutes({ chat, services, isShut, addressOf, refused }: SocketRoutesOptions) {
  const { bridgePorts, pusher, taskClients } = services ?? {};

  /** TSK-26: an extension shows its token in the URL, from any Origin. */
  const isForTasks = (request: IncomingMessage): boolean =>
    taskClients !== undefined &&
    isWebSocket(request) &&
    isTaskPath(pathOf(request)) &&
    taskTokenOf(request) !== undefined;

  const taskRoute = (shown: Shown): SocketRoute => {
    if (taskClients === undefined || !isIdentity(shown)) {
      return refused('credential');
    }
    if (!taskClients.hasRoomFor(shown)) return refused('sockets');
    return (socket) => taskClients.take(socket, shown);
  };

  const chatRoute = (origin: RequestOrigin, shown: Exclude<Shown, string>): SocketRoute => {
    if (shown === undefined && origin === 'none') return refused('credential');
    if (!chat.hasRoomFor(shown)) {
      return shown === undefined ? refused('strangers') : refused('sockets');
    }
    return (socket, stream) => chat.take(socket, stream, shown);
  };

  return {
    isForTasks,
    /** Nor can a Pusher client: it shows the key, and is let in to each private channel with a token. */
    isForPusher: (request: IncomingMessage): boolean =>
      isWebSocket(request) && pusher?.isOurs(pathOf(request)) === true,
    of(request: IncomingMessage, origin: RequestOrigin, shown: Shown): SocketRoute {
      if (isShut()) return refused('stopping');
      if (shown === 'limited') return refused('limited');
      if (isForTasks(request)) return taskRoute(shown);
      if (typeof shown === 'string') return refused('credential');
      const path = pathOf(request);
      if (pusher !== undefined && path.startsWith('/app/')) {
        return (socket) => pusher.take(socket, request.url ?? '', addressOf(request));
      }
      if (path === CHAT_PATH) return chatRoute(origin, shown);
      const endpoint = BRIDGE_ENDPOINTS.get(path);
      if (shown === undefined || endpoint === undefined || bridgePorts === undefined) {
        return refused('credential');
      }
      if (!bridgePorts.admits(shown, endpoint)) return refused('role');
      return (socket) => bridgePorts.take(socket, shown, endpoint);
    },
  };
}
