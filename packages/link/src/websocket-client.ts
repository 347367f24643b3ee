import { type ClientOptions, connectFrames, type DialEvents } from './frame-client.ts';
import { CLOSE_LAGGING, endOfSocket, type FrameWire } from './frame-wire.ts';
import type { ItemLink } from './link.ts';

export const SUBPROTOCOL = 'drawbridge';
/** Offered beside it by ends that can resume; a server that does not know it picks the plain one. */
export const RESUME_SUBPROTOCOL = 'drawbridge.resume';
export const BEARER_PREFIX = 'bearer.';

/** What is used of a WebSocket. */
export interface SocketLike {
  readonly protocol: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

export interface WebSocketOptions extends ClientOptions {
  readonly url: string;
  readonly token?: string;
  /** For peers without `drawbridge.resume`: offers only plain items. */
  readonly plain?: boolean;
  readonly open?: (url: string, protocols: string[]) => SocketLike;
}

const OPEN = 1;
const CLOSED = 3;
/** More than this unsent in the socket's own buffer means that the peer does not read. */
const MAX_SOCKET_BUFFER = 8 * 1_048_576;

export function connectWebSocket(options: WebSocketOptions): ItemLink {
  const { url, token, plain = false, open = openSocket } = options;
  const protocols = plain ? [SUBPROTOCOL] : [RESUME_SUBPROTOCOL, SUBPROTOCOL];
  // A browser sets no header on a WebSocket: https://websockets.spec.whatwg.org/#dom-websocket-websocket
  if (token !== undefined) protocols.push(BEARER_PREFIX + token);
  return connectFrames((events) => socketWire(open(url, protocols), events), options);
}

const openSocket = (url: string, protocols: string[]): SocketLike => new WebSocket(url, protocols);

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
      if (socket.readyState !== OPEN) return;
      if (socket.bufferedAmount > MAX_SOCKET_BUFFER) socket.close(CLOSE_LAGGING, 'lagging');
      else socket.send(frame);
    },
    close: (code, reason) => {
      if (socket.readyState !== CLOSED) socket.close(code, reason);
    },
  };
}

/** Stands for a binary frame in the count: no text, so no item. */
const BINARY = '';
