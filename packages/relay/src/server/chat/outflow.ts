import type { Duplex } from 'node:stream';
import { LIMITS } from '@drawbridge/protocol';
import type { WebSocket } from 'ws';
import type { Lane, PeerPort } from '../../core/ports.ts';

export interface OutflowOptions {
  readonly socket: WebSocket;
  /** What the socket writes to. */
  readonly stream: Pick<Duplex, 'cork' | 'uncork'>;
  readonly unreadBytes: number;
  readonly unreadEvents: number;
  /** Of answers and commands, beyond which the peer is lagging too. */
  readonly unreadAnswerBytes: number;
  /** Whether the device leaves more unread than it may, over all its sockets. */
  readonly isOver: () => boolean;
  readonly onLagging: () => void;
  /** Too much waits to be written, or no longer does: a peer that reads no answers is asked no more questions. */
  readonly onFull: (full: boolean) => void;
}

/** More than a history's frame, which a peer on a slow line may read for a minute, sending its heartbeats. */
const MAX_BUFFERED = 4 * LIMITS.frame.value;

/** Less is not worth a look at the device's other sockets. */
const ASKED_BEYOND = 262_144;

/** What goes out to a peer, and how much of it the peer has left unread. */
export interface Outflow extends Pick<PeerPort, 'send' | 'drained'> {
  /** The socket has ended: nobody waits for it any longer. */
  readonly ended: () => void;
}

export function createOutflow(options: OutflowOptions): Outflow {
  const { socket, stream, unreadBytes, unreadEvents, unreadAnswerBytes, isOver, onLagging, onFull } = options;
  const waiting: Array<{ readonly upTo: number; readonly done: () => void }> = [];
  let sent = 0;
  let written = 0;
  let liveBytes = 0;
  let liveEvents = 0;
  let lagging = false;
  let full = false;
  let over = false;
  let corked = false;

  /** What one commit makes goes out as one write: a system call a frame is a fifth of the whole work. */
  const cork = (): void => {
    if (corked) return;
    corked = true;
    stream.cork();
    process.nextTick(() => {
      corked = false;
      stream.uncork();
    });
  };

  const fill = (): void => {
    const isFull = socket.bufferedAmount > MAX_BUFFERED;
    if (isFull === full) return;
    full = isFull;
    onFull(full);
  };

  const wroteOne = (live: number): void => {
    written += 1;
    if (live > 0) {
      liveBytes -= live;
      liveEvents -= 1;
    }
    while (waiting[0] !== undefined && waiting[0].upTo <= written) waiting.shift()?.done();
    if (!over) fill();
  };

  const hasRoomFor = (bytes: number): boolean => {
    if (liveEvents < unreadEvents && liveBytes + bytes <= unreadBytes) return true;
    // One event may be larger than all that may be unread: a peer that has read everything gets it.
    return liveEvents === 0;
  };

  /** CHT-287: what others say to a proxy has no end while it reads nothing. */
  const isDeaf = (): boolean =>
    socket.bufferedAmount > unreadAnswerBytes || (socket.bufferedAmount > ASKED_BEYOND && isOver());

  const send = (text: string, lane: Lane): boolean => {
    if (over || socket.readyState !== socket.OPEN || (lagging && lane !== 'answer')) return false;
    const frame = encoded(text);
    if (lane === 'live' ? !hasRoomFor(frame.length) : lane === 'answer' && isDeaf()) {
      if (!lagging) onLagging();
      lagging = true;
      return false;
    }
    const live = lane === 'live' ? frame.length : 0;
    if (live > 0) {
      liveBytes += live;
      liveEvents += 1;
    }
    sent += 1;
    cork();
    socket.send(frame, { binary: false }, () => wroteOne(live));
    fill();
    return true;
  };

  return {
    send,
    drained() {
      if (over || written === sent) return Promise.resolve();
      return new Promise((done) => waiting.push({ upTo: sent, done }));
    },
    ended() {
      over = true;
      for (const { done } of waiting.splice(0)) done();
    },
  };
}

let latest: { readonly text: string; readonly frame: Buffer } | undefined;

/** A broadcast is the same text for each of its peers, one after another. */
function encoded(text: string): Buffer {
  if (latest?.text !== text) latest = { text, frame: Buffer.from(text) };
  return latest.frame;
}
