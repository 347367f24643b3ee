import type { Clock } from '@drawbridge/base';
import { BridgeError, CHAT_PROTOCOL_VERSION, type ChatFrame, chat } from '@drawbridge/protocol';
import { CLOSE_DONE, CLOSE_LAGGING, endOfSocket, type WireEnd } from '../frame-wire.ts';
import { SOCKET_CLOSED, SOCKET_OPEN, type SocketLike } from '../socket-like.ts';
import type { ChatProblem, FrameOf } from './chat-link.ts';

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly socket: SocketLike;
  readonly hello: FrameOf<'connection_hello'>;
  readonly openTimeoutMs: number;
  readonly maxBufferedBytes: number;
  readonly onAck: (ack: FrameOf<'connection_ack'>) => void;
  /** Every frame after the ack. */
  readonly onFrame: (frame: ChatFrame) => void;
  readonly onProblem: (problem: ChatProblem) => void;
  readonly onHeartbeat: () => void;
  /** Fires once, unless closed here. */
  readonly onEnd: (end: WireEnd) => void;
}

/**
 * A longer timer would fire at once:
 * https://developer.mozilla.org/docs/Web/API/Window/setTimeout#maximum_delay_value
 */
const LONGEST_MS = 3_600_000;
const MIN_HEARTBEAT_MS = 50;
/** After sleep a socket may look open and be dead: it must answer within this time. */
export const PROBE_MS = 5_000;

export const clampMs = (ms: number, least = 0): number => Math.min(Math.max(ms, least), LONGEST_MS);

/** Error codes before the ack after which a retry is useless. */
const FINAL: ReadonlyMap<string, 'refused' | 'failed'> = new Map([
  ['unauthorized', 'refused'],
  ['protocol_version_unsupported', 'failed'],
  ['invalid_message', 'failed'],
]);

/** One socket from open to close: handshake, heartbeat, and frames both ways. */
export class ChatConnection {
  readonly #options: ConnectionOptions;
  #stopOpenTimer: () => void;
  #stopBeat = () => {};
  #stopProbe: (() => void) | undefined;
  #isAcked = false;
  #isOver = false;
  #silentMs = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket, clock, hello, openTimeoutMs } = options;
    this.#stopOpenTimer = clock.after(openTimeoutMs, () =>
      this.#fail('The relay did not answer in time.', { reason: 'open_timeout', timeout_ms: openTimeoutMs }),
    );
    // CHT-100: before anything else can be sent.
    socket.addEventListener('open', () => this.#put(JSON.stringify(hello)));
    socket.addEventListener('message', ({ data }) => {
      if (!this.#isOver) this.#take(typeof data === 'string' ? data : '');
    });
    // 'close' follows an 'error', with the code.
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', ({ code, reason }) => this.#end(endOf(code, reason)));
  }

  get isAcked(): boolean {
    return this.#isAcked && !this.#isOver;
  }

  /** False when it is not open, or the peer reads too slowly. */
  send(text: string): boolean {
    const { socket, maxBufferedBytes } = this.#options;
    if (!this.isAcked || socket.readyState !== SOCKET_OPEN) return false;
    if (socket.bufferedAmount > maxBufferedBytes) return false;
    return this.#put(text);
  }

  heartbeat(): void {
    const client_ts = new Date(this.#options.clock.now()).toISOString();
    const heartbeat: ChatFrame = { type: 'heartbeat', protocol_version: CHAT_PROTOCOL_VERSION, client_ts };
    this.send(JSON.stringify(heartbeat));
  }

  /** Closes soon unless the peer answers: unsolicited frames may arrive on a line that no longer carries ours. */
  probe(): void {
    if (!this.isAcked || this.#stopProbe !== undefined) return;
    this.#stopProbe = this.#options.clock.after(PROBE_MS, () => this.#silent());
    this.heartbeat();
  }

  /** Idempotent; fires no event. */
  close(code = CLOSE_DONE, reason = 'done'): void {
    if (this.#isOver) return;
    const { socket } = this.#options;
    this.#isOver = true;
    this.#stopOpenTimer();
    this.#stopBeat();
    this.#stopProbe?.();
    if (socket.readyState !== SOCKET_CLOSED) socket.close(code, reason);
  }

  #put(text: string): boolean {
    if (this.#isOver) return false;
    this.#options.socket.send(text);
    return true;
  }

  #take(text: string): void {
    this.#silentMs = 0;
    let frame: ChatFrame;
    try {
      frame = chat.parse(text);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      this.#options.onProblem({ kind: 'refused', error, frame: text });
      return;
    }
    if (frame.type === 'heartbeat_ack') this.#probed();
    if (this.#isAcked) this.#options.onFrame(frame);
    else this.#shakeHands(frame, text);
  }

  #probed(): void {
    this.#stopProbe?.();
    this.#stopProbe = undefined;
  }

  #shakeHands(frame: ChatFrame, text: string): void {
    if (frame.type === 'connection_ack') {
      this.#isAcked = true;
      this.#stopOpenTimer();
      const interval = clampMs(frame.heartbeat_interval_ms, MIN_HEARTBEAT_MS);
      this.#beatEvery(interval, Math.max(clampMs(frame.heartbeat_timeout_ms), interval));
      this.#options.onAck(frame);
      return;
    }
    if (frame.type === 'connection_error') {
      const { code, message } = frame;
      const final = FINAL.get(code);
      if (final !== undefined) this.#end({ final, message, evidence: { reason: 'hello_refused', code } });
      else this.#options.onFrame(frame);
      return;
    }
    const error = new BridgeError('invalid_message', `A ${frame.type} came before connection_ack.`);
    this.#options.onProblem({ kind: 'refused', error, frame: text });
  }

  /** Counted in heartbeats, as the wall clock may jump (CHT-114). */
  #beatEvery(interval: number, timeout: number): void {
    this.#stopBeat = this.#options.clock.after(interval, () => {
      this.#silentMs += interval;
      if (this.#silentMs > timeout) {
        this.#silent();
        return;
      }
      this.#beatEvery(interval, timeout);
      this.heartbeat();
      this.#options.onHeartbeat();
    });
  }

  #silent(): void {
    this.#fail('The relay stopped responding.', { reason: 'peer_silent' });
  }

  #fail(message: string, evidence: WireEnd['evidence']): void {
    this.#end({ message, evidence });
  }

  #end(end: WireEnd): void {
    if (this.#isOver) return;
    this.close(CLOSE_LAGGING, 'unusable');
    this.#options.onEnd(end);
  }
}

/** A relay that closes regularly is tried again. */
function endOf(code: number, reason: string): WireEnd {
  const { final, ...end } = endOfSocket(code, reason);
  return final === undefined || final === 'closed_by_peer' ? end : { ...end, final };
}
