import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Door } from '@drawbridge/link/node';
import type { WebSocket } from 'ws';
import { isIdentity, type Shown } from '../devices/door.ts';
import type { PusherPort } from '../pusher/pusher-port.ts';
import type { TaskClients } from '../task-clients/task-clients.ts';
import { isTaskPath, taskTokenOf } from '../task-clients/task-token.ts';
import type { BridgePorts } from './bridge/bridge-ports.ts';
import type { ChatPort } from './chat/chat-port.ts';
import { pathOf } from './guard/open-paths.ts';
import type { RequestOrigin } from './guard/request-origin.ts';

/** Ports that only the leader has. */
export interface HousePlaces {
  readonly bridgePorts: BridgePorts;
  /** Undefined where another server has the connections. */
  readonly pusher: PusherPort | undefined;
  /** Undefined when switched off. */
  readonly taskClients: TaskClients | undefined;
}

export interface PlacesOptions {
  readonly chat: ChatPort;
  readonly house: HousePlaces | undefined;
  readonly isShut: () => boolean;
  /** Counts a refusal and returns its status. */
  readonly refused: (status: number, reason: string) => number;
}

/** Handler of a socket, or the status of a refusal. */
export type Place = ((socket: WebSocket, stream: Duplex) => void) | number;

export interface Places {
  readonly isForTasks: (request: IncomingMessage) => boolean;
  readonly isForPusher: (request: IncomingMessage) => boolean;
  readonly of: (request: IncomingMessage, origin: RequestOrigin, shown: Shown) => Place;
}

const BRIDGE_DOORS: ReadonlyMap<string, Door> = new Map([
  ['/ws/runtime', 'runtime'],
  ['/ws/agent', 'agent'],
]);
export const CHAT_PATH = '/ws/chat';

/** Routes sockets. A wrong path and a wrong token look the same. */
export function createPlaces({ chat, house, isShut, refused }: PlacesOptions): Places {
  const { bridgePorts, pusher, taskClients } = house ?? {};

  /** TSK-26: an extension shows its token in the URL, from any Origin. */
  const isForTasks = (request: IncomingMessage): boolean =>
    taskClients !== undefined &&
    request.headers.upgrade !== undefined &&
    isTaskPath(pathOf(request)) &&
    taskTokenOf(request) !== undefined;

  const taskPlace = (shown: Shown): Place => {
    if (taskClients === undefined || !isIdentity(shown)) {
      return refused(401, 'credential');
    }
    if (!taskClients.hasRoomFor(shown)) return refused(429, 'sockets');
    return (socket) => taskClients.take(socket, shown);
  };

  const chatPlace = (origin: RequestOrigin, shown: Exclude<Shown, string>): Place => {
    if (shown === undefined && origin === 'none') return refused(401, 'credential');
    if (!chat.hasRoomFor(shown)) {
      return shown === undefined ? refused(503, 'strangers') : refused(429, 'sockets');
    }
    return (socket, stream) => chat.take(socket, stream, shown);
  };

  return {
    isForTasks,
    /** A Pusher client shows the key, and a token for each private channel. */
    isForPusher: (request) =>
      request.headers.upgrade !== undefined && pusher?.isOurs(pathOf(request)) === true,
    of(request, origin, shown) {
      if (isShut()) return refused(503, 'stopping');
      if (shown === 'limited') return refused(429, 'limited');
      if (isForTasks(request)) return taskPlace(shown);
      if (typeof shown === 'string') return refused(401, 'credential');
      const path = pathOf(request);
      if (pusher !== undefined && path.startsWith('/app/')) {
        return pusher.hasRoom()
          ? (socket) => pusher.take(socket, request.url ?? '')
          : refused(503, 'strangers');
      }
      if (path === CHAT_PATH) return chatPlace(origin, shown);
      const door = BRIDGE_DOORS.get(path);
      if (shown === undefined || door === undefined || bridgePorts === undefined) {
        return refused(401, 'credential');
      }
      if (!bridgePorts.admits(shown, door)) return refused(403, 'role');
      return (socket) => bridgePorts.take(socket, shown, door);
    },
  };
}
