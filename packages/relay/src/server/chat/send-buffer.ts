import type { Duplex } from 'node:stream';
import { LIMITS } from '@drawbridge/protocol';
import type { WebSocket } from 'ws';
import type { PeerPort, SendClass } from '../../core/ports.ts';

export interface SendBufferOptions {
  readonly socket: WebSocket;
  /** The stream below the socket. */
  readonly stream: Pick<Duplex, 'cork' | 'uncork'>;
  readonly unreadBytes: number;
  readonly unreadEvents: number;
  /** Unread answers and commands beyond which the peer is lagging too. */
  readonly unreadAnswerBytes: number;
  /** Whether the device leaves too much unread, over all its sockets. */
  readonly isOver: () => boolean;
  readonly onLagging: () => void;
  /**
   * Called when the buffer becomes full or has room again: a peer that reads no answers is not read either.
   */
  readonly onFull: (full: boolean) => void;
}

/**
 * Larger than a history frame, which a peer on a slow line may read for a minute while it sends heartbeats.
 */
const MAX_BUFFERED = 4 * LIMITS.frame.value;

/** Below this the device's other sockets are not checked. */
const ASKED_BEYOND = 262_144;

/** Sends to a peer, and counts how much it has left unread. */
export interface SendBuffer extends Pick<PeerPort, 'send' | 'drained'> {
  /** Called when the socket has ended: resolves every wait. */
  readonly ended: () => void;
}

export function createSendBuffer(options: SendBufferOptions): SendBuffer {
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

  /** Writes everything of one commit at once: a system call per frame is a fifth of the whole work. */
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

  /** True when a peer has left too much unread to get a frame of this class and size. */
  const isLagging = (sendClass: SendClass, bytes: number): boolean => {
    // One event may be larger than the cap: a peer that has read everything gets it.
    if (sendClass === 'live')
      return liveEvents > 0 && (liveEvents >= unreadEvents || liveBytes + bytes > unreadBytes);
    if (sendClass === 'history') return false;
    // CHT-287: commands to a proxy that reads nothing would grow without end.
    const { bufferedAmount } = socket;
    return bufferedAmount > unreadAnswerBytes || (bufferedAmount > ASKED_BEYOND && isOver());
  };

  const send = (text: string, sendClass: SendClass): boolean => {
    if (over || socket.readyState !== socket.OPEN || (lagging && sendClass !== 'answer')) return false;
    const frame = encoded(text);
    if (isLagging(sendClass, frame.length)) {
      if (!lagging) onLagging();
      lagging = true;
      return false;
    }
    const live = sendClass === 'live' ? frame.length : 0;
    if (live > 0) {
      liveBytes += live;
      liveEvents += 1;
    }
    sent += 1;
    cork();
    socket.send(frame, { binary: false }, () => {
      written += 1;
      if (live > 0) {
        liveBytes -= live;
        liveEvents -= 1;
      }
      while (waiting[0] !== undefined && waiting[0].upTo <= written) waiting.shift()?.done();
      if (!over) fill();
    });
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

/** Caches the last text: a broadcast sends the same one to each peer in turn. */
function encoded(text: string): Buffer {
  if (latest?.text !== text) latest = { text, frame: Buffer.from(text) };
  return latest.frame;
}
