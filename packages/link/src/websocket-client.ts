import { type ClientOptions, connectFrames, type DialEvents } from './frame-client.ts';
import { CLOSE_LAGGING, endOfSocket, type FrameWire } from './frame-wire.ts';
import type { ItemLink } from './link.ts';
import {
  BEARER_PREFIX,
  openSocket,
  SOCKET_CLOSED,
  SOCKET_OPEN,
  type SocketLike,
  SUBPROTOCOL,
} from './socket-like.ts';

/** Offered besides the plain one by ends that can resume; an older server picks the plain one. */
export const RESUME_SUBPROTOCOL = 'drawbridge.resume';

export interface WebSocketOptions extends ClientOptions {
  readonly url: string;
  readonly token?: string;
  /** For peers without `drawbridge.resume`: offers only plain items. */
  readonly plain?: boolean;
  readonly open?: (url: string, protocols: string[]) => SocketLike;
}

/** Above this much unsent data in the socket's buffer, the peer does not read. */
const MAX_SOCKET_BUFFER = 8 * 1_048_576;

export function connectWebSocket(options: WebSocketOptions): ItemLink {
  const { url, token, plain = false, open = openSocket } = options;
  const protocols = plain ? [SUBPROTOCOL] : [RESUME_SUBPROTOCOL, SUBPROTOCOL];
  // A browser cannot set headers on a WebSocket: https://websockets.spec.whatwg.org/#dom-websocket-websocket
  if (token !== undefined) protocols.push(BEARER_PREFIX + token);
  return connectFrames((events) => socketWire(open(url, protocols), events), options);
}

function socketWire(socket: SocketLike, events: DialEvents): FrameWire {
  socket.addEventListener('open', () => events.opened(socket.protocol === RESUME_SUBPROTOCOL));
  socket.addEventListener('message', ({ data }) => {
    events.frame(typeof data === 'string' ? data : BINARY);
  });
  // 'close' follows an 'error', with the code.
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', ({ code, reason }) => events.ended(endOfSocket(code, reason)));
  return {
    send: (frame) => {
      if (socket.readyState !== SOCKET_OPEN) return;
      if (socket.bufferedAmount > MAX_SOCKET_BUFFER) socket.close(CLOSE_LAGGING, 'lagging');
      else socket.send(frame);
    },
    close: (code, reason) => {
      if (socket.readyState !== SOCKET_CLOSED) socket.close(code, reason);
    },
  };
}

/** Represents a binary frame in the count, which is not an item. */
const BINARY = '';
