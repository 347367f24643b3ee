import type { ChatLink, Outgoing as Frame } from '@drawbridge/link/chat';
import { BridgeError } from '@drawbridge/protocol';
import { plainCall, type ToolCallDetails } from './acp/tool-call.ts';
import { keyOf, type ProxyMessage } from './drafts.ts';

/** Messages that the relay has not confirmed, on disk. */
export interface Outbox {
  /** In the order of their first version. */
  readonly unconfirmed: () => readonly ProxyMessage[];
  /** Replaces earlier versions of the same messages. */
  readonly keep: (frames: readonly ProxyMessage[]) => void;
  readonly drop: (frames: readonly ProxyMessage[]) => void;
  /** Keeps the words of a message that is not sent yet, until `keep` or the next process has them. */
  readonly draft: (frame: ProxyMessage) => void;
}

interface OutgoingOptions {
  readonly link: Pick<ChatLink, 'onState' | 'send'>;
  readonly outbox: Outbox;
  readonly newId: () => string;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Frames to send first on each connection. */
  readonly hello: () => readonly Frame[];
  readonly onLost: (frame: Frame, error: BridgeError) => void;
  /** Called with true when agents must wait before they say more, and with false when they need not. */
  readonly onFull: (isFull: boolean) => void;
  readonly maxChars?: number;
}

/** Messages sent and not confirmed: the rest waits here, where it needs no memory of the relay. */
const MAX_IN_FLIGHT = 256;
const MAX_IN_FLIGHT_CHARS = 1_048_576;
/** Agents wait above half of this; the oldest message is dropped above all of it. */
const MAX_CHARS = 64 * 1_048_576;
/** To a relay that gives no receipts, the latest messages are repeated after a reconnect. */
const REPEATED = 128;
const MAX_WAITING = 5_000;
const RETRY_MS = 200;
const TOO_MANY = new BridgeError('transport_failed', 'The relay was away for too long.');

/** Messages before a heartbeat whose answer confirms that the relay has stored them. */
interface Receipt {
  readonly request_id: string;
  readonly frames: readonly ProxyMessage[];
}

/** Queue of frames to the relay, also while disconnected. Any frame may be sent twice. */
export class Outgoing {
  readonly #options: OutgoingOptions;
  /** By message: its latest version, until the relay has confirmed it. */
  readonly #messages = new Map<string, ProxyMessage>();
  /**
   * By session: its last message, confirmed. A relay stores a message that grows only now and then, so the last one is
   * repeated after a reconnect.
   */
  readonly #lastConfirmed = new Map<string, ProxyMessage>();
  readonly #unsaved = new Set<string>();
  #chars = 0;
  #isFull = false;
  #waiting: Frame[] = [];
  /** Sent since the last receipt was asked for. */
  #sent: ProxyMessage[] = [];
  #receipt: Receipt | undefined;
  #inFlight = { count: 0, chars: 0 };
  /** Sessions with a message that the relay could not store for now. */
  readonly #refused = new Set<string>();
  readonly #timers = new Set<() => void>();
  #cancelTimer: (() => void) | undefined;
  #isOpen = false;
  #givesReceipts = false;

  constructor(options: OutgoingOptions) {
    this.#options = options;
    for (const frame of options.outbox.unconfirmed()) this.#keep(withoutOpenCall(frame));
    this.#unsaved.clear();
    options.link.onState((state) => {
      this.#isOpen = state.kind === 'open';
      this.#givesReceipts = state.kind === 'open' && state.features?.includes('stored') === true;
      if (this.#isOpen) this.#startOver();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(frame: Frame): void {
    if (!this.#isOpen && isMomentary(frame)) return;
    const earlier = frame.type === 'proxy_message' ? this.#keep(frame) : undefined;
    const index = earlier === undefined ? -1 : this.#waiting.indexOf(earlier);
    // Replaces the queued version of the same message, because it has the whole text.
    if (index >= 0) this.#waiting[index] = frame;
    else this.#waiting.push(frame);
    this.#shorten();
    this.#flush();
  }

  /** The relay answered a heartbeat: it has stored what was sent before, or refused it. */
  confirmed(request_id: string | undefined): void {
    if (this.#receipt === undefined || request_id !== this.#receipt.request_id) return;
    const { frames } = this.#receipt;
    this.#receipt = undefined;
    this.#count(frames, -1);
    const stored = frames.filter(({ session_id }) => !this.#refused.has(session_id));
    const before = stored.flatMap(({ session_id }) => this.#lastConfirmed.get(session_id) ?? []);
    for (const frame of stored) this.#lastConfirmed.set(frame.session_id, frame);
    this.#forget(
      [...before, ...stored].filter(
        (frame) => !this.#isLastConfirmed(frame) && openCallIn(frame) === undefined,
      ),
    );
    this.#flush();
  }

  /** The relay could not store a frame of this session: its messages are sent again later. */
  refused(session_id: string, retry_after_ms: number): void {
    if (this.#refused.has(session_id)) return;
    this.#refused.add(session_id);
    this.#later(retry_after_ms, () => {
      this.#refused.delete(session_id);
      if (this.#isOpen) this.#startOver();
    });
  }

  /** Writes the latest messages to the disk. Idempotent. */
  save(): void {
    const frames = [...this.#unsaved].flatMap((key) => this.#messages.get(key) ?? []);
    this.#unsaved.clear();
    if (frames.length > 0) this.#options.outbox.keep(frames);
  }

  close(): void {
    this.save();
    for (const cancel of this.#timers) cancel();
    this.#cancelTimer?.();
  }

  #startOver(): void {
    const { hello } = this.#options;
    const others = this.#waiting.filter(({ type }) => type !== 'proxy_message');
    this.#waiting = [...hello(), ...this.#messages.values(), ...others];
    this.#sent = [];
    this.#receipt = undefined;
    this.#inFlight = { count: 0, chars: 0 };
    this.#flush();
  }

  #later(ms: number, run: () => void): void {
    const cancel = this.#options.after(ms, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }

  #isLastConfirmed(frame: ProxyMessage): boolean {
    return this.#lastConfirmed.get(frame.session_id) === frame;
  }

  /** Returns the previous version of the message. */
  #keep(frame: ProxyMessage): ProxyMessage | undefined {
    const key = keyOf(frame);
    const earlier = this.#messages.get(key);
    this.#messages.set(key, frame);
    this.#chars += frame.message.content.length - (earlier?.message.content.length ?? 0);
    if (this.#unsaved.size === 0) this.#later(0, () => this.save());
    this.#unsaved.add(key);
    // A kill between its sending and the write would leave it running for ever.
    if (earlier === undefined && openCallIn(frame) !== undefined) this.save();
    return earlier;
  }

  /** Forgets messages that have no later version. */
  #forget(frames: readonly ProxyMessage[]): void {
    const last = frames.filter((frame) => this.#messages.get(keyOf(frame)) === frame);
    for (const frame of last) {
      this.#unsaved.delete(keyOf(frame));
      this.#messages.delete(keyOf(frame));
      this.#chars -= frame.message.content.length;
    }
    // An earlier version may be on the disk even if this one is not.
    if (last.length > 0) this.#options.outbox.drop(last);
    this.#measure();
  }

  #shorten(): void {
    const { onLost, maxChars = MAX_CHARS } = this.#options;
    if (this.#waiting.length - this.#messages.size > MAX_WAITING) {
      const lost = this.#waiting.findIndex(({ type }) => type !== 'proxy_message');
      for (const frame of this.#waiting.splice(lost, 1)) onLost(frame, TOO_MANY);
    }
    for (const frame of this.#messages.values()) {
      if (this.#chars <= maxChars) break;
      this.#forget([frame]);
      this.#waiting = this.#waiting.filter((each) => each !== frame);
      if (this.#isLastConfirmed(frame)) this.#lastConfirmed.delete(frame.session_id);
      else onLost(frame, TOO_MANY);
    }
    this.#measure();
  }

  #measure(): void {
    const { onFull, maxChars = MAX_CHARS } = this.#options;
    let confirmed = 0;
    for (const { message } of this.#lastConfirmed.values()) confirmed += message.content.length;
    const isFull = this.#chars - confirmed > maxChars / (this.#isFull ? 4 : 2);
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    onFull(isFull);
  }

  #hasRoom(): boolean {
    const { count, chars } = this.#inFlight;
    return count < MAX_IN_FLIGHT && chars < MAX_IN_FLIGHT_CHARS;
  }

  #count(frames: readonly ProxyMessage[], by: 1 | -1): void {
    this.#inFlight.count += by * frames.length;
    for (const { message } of frames) this.#inFlight.chars += by * message.content.length;
  }

  #flush(): void {
    if (!this.#isOpen || this.#cancelTimer !== undefined) return;
    while (!this.#givesReceipts || this.#hasRoom()) {
      const frame = this.#waiting.shift();
      if (frame === undefined) break;
      if (!this.#send(frame)) {
        this.#waiting.unshift(frame);
        return;
      }
      if (frame.type !== 'proxy_message') continue;
      this.#sent.push(frame);
      this.#count([frame], 1);
    }
    if (!this.#givesReceipts) {
      const taken = this.#sent.splice(0, Math.max(0, this.#sent.length - REPEATED));
      this.#count(taken, -1);
      this.#forget(taken.filter((frame) => openCallIn(frame) === undefined));
      return;
    }
    if (this.#receipt !== undefined || this.#sent.length === 0) return;
    const request_id = this.#options.newId();
    if (!this.#send({ type: 'heartbeat', request_id })) return;
    this.#receipt = { request_id, frames: this.#sent };
    this.#sent = [];
  }

  /** False when the connection takes nothing for now. A frame that it never takes is lost. */
  #send(frame: Frame): boolean {
    try {
      this.#options.link.send(frame);
      return true;
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      const reason = error.evidence['reason'];
      if (reason !== 'backpressure' && reason !== 'not_open') {
        if (frame.type === 'proxy_message') this.#forget([frame]);
        this.#options.onLost(frame, error);
        return true;
      }
      this.#cancelTimer = this.#options.after(RETRY_MS, () => {
        this.#cancelTimer = undefined;
        this.#flush();
      });
      return false;
    }
  }
}

/** A tool call that has no result yet. Stays on the disk: the end of this process would leave it running for ever. */
function openCallIn({ message }: ProxyMessage): ToolCallDetails | undefined {
  const details = message.metadata?.['details'];
  const call = isToolCall(details) ? details : undefined;
  return call?.status === 'running' || call?.status === 'pending' ? call : undefined;
}

/** The process that would have reported its result has ended. */
function withoutOpenCall(frame: ProxyMessage): ProxyMessage {
  const call = openCallIn(frame);
  if (call === undefined) return frame;
  const details: ToolCallDetails = { ...call, status: 'stopped' };
  const { message } = frame;
  const metadata = { ...message.metadata, details };
  return { ...frame, message: { ...message, content: plainCall(details), metadata } };
}

const isToolCall = (details: unknown): details is ToolCallDetails =>
  typeof details === 'object' && details !== null && 'kind' in details && details.kind === 'tool_call';

/** Repeated in the handshake, so not worth queueing. */
const isMomentary = ({ type }: Frame): boolean =>
  type === 'proxy_session_snapshot' ||
  type === 'proxy_status' ||
  type === 'agent_config' ||
  type === 'permission_prompt';
