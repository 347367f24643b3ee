/** Values of `WebSocket.readyState`; a pair is connected from the start. */
export const SOCKET_OPEN = 1;
export const SOCKET_CLOSING = 2;
export const SOCKET_CLOSED = 3;
export type ReadyState = typeof SOCKET_OPEN | typeof SOCKET_CLOSING | typeof SOCKET_CLOSED;

export type End = 'a' | 'b';

export interface PairedSocket {
  readonly readyState: ReadyState;
  /** Silently dropped unless the socket is open, as in a browser. */
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: (code: number, reason: string) => void): void;
}

export interface SocketPair {
  readonly a: PairedSocket;
  readonly b: PairedSocket;
  /** Delivers everything, including answers, in send order; returns the number of deliveries. */
  flush(): number;
  /** Delivers the oldest item in flight; false if there was none. */
  step(): boolean;
  /** Number of messages and closes in flight. */
  pending(): number;
  /** Drops the next messages that `end` sends. */
  dropNext(end: End, count?: number): void;
  /** Delivers the next messages that `end` sends twice. */
  duplicateNext(end: End, count?: number): void;
  /** Breaks the connection: messages in flight are lost, and each end closes with 1006 at the next flush. */
  cut(): void;
}

interface EndState {
  readyState: ReadyState;
  drops: number;
  duplicates: number;
  readonly messageListeners: Array<(text: string) => void>;
  readonly closeListeners: Array<(code: number, reason: string) => void>;
}

const DEFAULT_MAX_DELIVERIES = 10_000;
const ABNORMAL_CLOSURE = 1006;
const NO_STATUS = 1005;

export function createSocketPair({ maxDeliveries = DEFAULT_MAX_DELIVERIES } = {}): SocketPair {
  const ends: Record<End, EndState> = { a: openEnd(), b: openEnd() };
  let line: Array<() => void> = [];
  let broken = false;
  let delivering = false;

  const put = (delivery: () => void): void => {
    if (!broken) line.push(delivery);
  };

  const send = (from: End, text: string): void => {
    const sender = ends[from];
    if (sender.readyState !== SOCKET_OPEN) return;
    for (let copies = copiesOfNext(sender); copies > 0; copies -= 1) {
      put(() => receive(ends[other(from)], text));
    }
  };

  const sendClose = (from: End, code: number, reason: string): void => {
    ends[from].readyState = SOCKET_CLOSING;
    put(() => receiveClose(other(from), code, reason));
  };

  /**
   * An end that did not start the close answers it with the same code, after everything it had sent before.
   */
  const receiveClose = (at: End, code: number, reason: string): void => {
    if (ends[at].readyState === SOCKET_OPEN) sendClose(at, code, reason);
    closed(ends[at], code, reason);
  };

  const step = (): boolean => {
    if (delivering) throw new Error('Already delivering: a listener must not flush or step its own pair.');
    const deliver = line.shift();
    if (deliver === undefined) return false;
    delivering = true;
    try {
      deliver();
    } finally {
      delivering = false;
    }
    return true;
  };

  const flush = (): number => {
    for (let delivered = 0; delivered < maxDeliveries; delivered += 1) {
      if (!step()) return delivered;
    }
    if (line.length === 0) return maxDeliveries;
    throw new Error(
      `flush() delivered ${maxDeliveries} times and ${line.length} more are in flight: the ends seem to answer each other forever. Use step(), or raise maxDeliveries.`,
    );
  };

  const socket = (end: End): PairedSocket => ({
    get readyState() {
      return ends[end].readyState;
    },
    send: (text) => send(end, text),
    close: (code = NO_STATUS, reason = '') => {
      if (ends[end].readyState === SOCKET_OPEN) sendClose(end, code, reason);
    },
    onMessage: (listener) => ends[end].messageListeners.push(listener),
    onClose: (listener) => ends[end].closeListeners.push(listener),
  });

  return {
    a: socket('a'),
    b: socket('b'),
    flush,
    step,
    pending: () => line.length,
    dropNext: (end, count = 1) => {
      ends[end].drops += count;
    },
    duplicateNext: (end, count = 1) => {
      ends[end].duplicates += count;
    },
    cut: () => {
      if (broken) return;
      broken = true;
      line = [ends.a, ends.b].map((end) => () => closed(end, ABNORMAL_CLOSURE, ''));
    },
  };
}

function openEnd(): EndState {
  return { readyState: SOCKET_OPEN, drops: 0, duplicates: 0, messageListeners: [], closeListeners: [] };
}

function other(end: End): End {
  return end === 'a' ? 'b' : 'a';
}

function copiesOfNext(sender: EndState): 0 | 1 | 2 {
  if (sender.drops > 0) {
    sender.drops -= 1;
    return 0;
  }
  if (sender.duplicates > 0) {
    sender.duplicates -= 1;
    return 2;
  }
  return 1;
}

/** A closing end still receives messages in flight, as in `ws`; browsers drop them. */
function receive(end: EndState, text: string): void {
  if (end.readyState === SOCKET_CLOSED) return;
  for (const listener of end.messageListeners) listener(text);
}

function closed(end: EndState, code: number, reason: string): void {
  if (end.readyState === SOCKET_CLOSED) return;
  end.readyState = SOCKET_CLOSED;
  for (const listener of end.closeListeners) listener(code, reason);
}
