import type { Clock } from '@drawbridge/base';
import type { WebSocket } from 'ws';
import type { ConnectionHub, Peer } from '../connection-hub.ts';
import { acceptFrames } from '../frame-server.ts';
import { HEARTBEAT_MS, type HeartbeatOptions } from '../frame-session.ts';
import { CLOSE_LAGGING, endOfSocket } from '../frame-wire.ts';
import { SUBPROTOCOL } from '../socket-like.ts';
import { RESUME_SUBPROTOCOL } from '../websocket-client.ts';

export interface WebSocketServerOptions extends HeartbeatOptions {
  readonly hub: ConnectionHub;
  readonly peer: Peer;
  /** Passes a frame when its sender's rate limit allows; at once by default. */
  readonly rateLimit?: (act: () => void, chars: number) => void;
  /** Whether its owner leaves too much unread over all its sockets. */
  readonly isOver?: () => boolean;
}

/** A peer that does not read is closed at this much buffered data. */
const MAX_SOCKET_BUFFER = 8 * 1_048_576;
/** Below this, other sockets are not checked. */
const ASKED_BEYOND = 262_144;

/** For `handleProtocols` of a `ws` server. Never picks a token from the list, as the answer would reveal it. */
export function pickSubprotocol(offered: ReadonlySet<string>): string | false {
  return [RESUME_SUBPROTOCOL, SUBPROTOCOL].find((name) => offered.has(name)) ?? false;
}

/** Takes an authenticated socket. */
export function acceptWebSocket(socket: WebSocket, options: WebSocketServerOptions): void {
  const isLagging = (): boolean =>
    socket.bufferedAmount > MAX_SOCKET_BUFFER ||
    (socket.bufferedAmount > ASKED_BEYOND && options.isOver?.() === true);
  const intake = acceptFrames({
    ...options,
    negotiation: socket.protocol === RESUME_SUBPROTOCOL ? 'resumable' : 'plain',
    wire: {
      send: (frame) => {
        if (socket.readyState !== socket.OPEN) return;
        if (isLagging()) socket.close(CLOSE_LAGGING, 'lagging');
        else socket.send(frame);
      },
      close: (code, reason) => {
        if (socket.readyState === socket.CLOSED) return;
        // A paused socket would never read the peer's close.
        socket.resume();
        socket.close(code, reason);
      },
    },
  });
  const stopPings = pingEvery(options.heartbeatMs ?? HEARTBEAT_MS, socket, options.hub.clock);
  const { rateLimit = (act) => act() } = options;
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? '' : String(data);
    if (socket.readyState === socket.OPEN) rateLimit(() => intake.frame(frame), frame.length);
  });
  socket.on('close', (code, reason) => {
    stopPings();
    intake.ended(endOfSocket(code, String(reason)));
  });
  // 'close' follows, with the code.
  socket.on('error', () => {});
}

/** Unmodified peers answer pings automatically: one that does not is gone. */
function pingEvery(ms: number, socket: WebSocket, clock: Clock): () => void {
  let isAlive = true;
  let cancel = () => {};
  const heard = () => {
    isAlive = true;
  };
  socket.on('pong', heard);
  socket.on('message', heard);
  const heartbeat = () => {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
    cancel = clock.after(ms, heartbeat);
  };
  cancel = clock.after(ms, heartbeat);
  return () => cancel();
}
