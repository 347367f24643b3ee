import { type Clock, createDeferred, type Deferred } from '@drawbridge/base';
import { BridgeError, CHAT_PROTOCOL_VERSION, type ChatFrame, chat, LIMITS } from '@drawbridge/protocol';
import { transportFailed } from '../transport-error.ts';
import { clampMs } from './chat-connection.ts';
import {
  type ChatProblem,
  ChatRefusal,
  type FrameOf,
  type NewMessage,
  type SendFrame,
  type SendOutcome,
  type SentMessage,
} from './chat-link.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface SendQueuePorts {
  readonly store: OutboxStore;
  readonly clock: Clock;
  readonly newId: () => string;
  /** False when it cannot be sent now. */
  readonly transmit: (frame: SendFrame) => boolean;
  readonly changed: (pending: readonly SendFrame[]) => void;
  readonly onProblem: (problem: ChatProblem) => void;
}

export const MAX_PENDING = 1_000;
/** Unanswered messages on the wire: well below a relay's burst limit (CHT-97), and quickly resent. */
const MAX_IN_FLIGHT = 16;
/** Heartbeats without an answer until a resend on the same connection. */
const BEATS_TO_RESEND = 2;
/** Minimum pause when a relay names none. */
const SHORTEST_REST_MS = 100;

interface Entry {
  readonly frame: SendFrame;
  readonly accepted: Deferred<void>;
  readonly outcome: Deferred<SendOutcome>;
  state: 'storing' | 'waiting' | 'sent' | 'accepted';
  beats: number;
}

/** A person's messages from creation to answer. */
export class SendQueue {
  readonly #ports: SendQueuePorts;
  /** In creation order, which is the send order. */
  #entries = new Map<string, Entry>();
  readonly #loaded: Promise<void>;
  #isUnsure = false;
  /** Ends the pause that the relay asked for; undefined while it takes messages. */
  #stopResting: (() => void) | undefined;
  #ended: BridgeError | undefined;

  constructor(ports: SendQueuePorts) {
    this.#ports = ports;
    this.#loaded = this.#load();
  }

  /** True while some may have arrived over an earlier connection. */
  get isUnsure(): boolean {
    return this.#isUnsure;
  }

  get pending(): readonly SendFrame[] {
    return this.#unanswered().map(({ frame }) => frame);
  }

  /** Throws when it is invalid or too large, or too many are unanswered. */
  add(message: NewMessage): SentMessage {
    if (this.#ended !== undefined) throw this.#ended;
    const frame = this.#frameOf(message);
    const entry = createEntry(frame, 'storing');
    this.#entries.set(frame.client_message_id, entry);
    void this.#store(entry);
    this.#changed();
    const { client_message_id } = frame;
    return { client_message_id, accepted: entry.accepted.promise, outcome: entry.outcome.promise };
  }

  drop(client_message_id: string): void {
    const entry = this.#entries.get(client_message_id);
    if (entry === undefined || entry.state === 'accepted') return;
    this.#forget(entry);
    fail(entry, transportFailed('The message was dropped here.', { reason: 'dropped', client_message_id }));
    this.flush();
  }

  /** Sends stored messages up to the window. */
  flush(): void {
    if (this.#isUnsure || this.#stopResting !== undefined) return;
    let inFlight = 0;
    for (const entry of this.#unanswered()) {
      if (entry.state === 'storing' || inFlight === MAX_IN_FLIGHT) return;
      inFlight += 1;
      if (entry.state === 'sent') continue;
      if (!this.#ports.transmit(entry.frame)) return;
      entry.state = 'sent';
      entry.beats = 0;
    }
  }

  /** CHT-134: messages on the wire at the break are resent under the same id, unless the resume answers them. */
  broken(): void {
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'sent') continue;
      entry.state = 'waiting';
      this.#isUnsure = true;
    }
  }

  /** The relay has delivered everything held for us. */
  caughtUp(): void {
    this.#isUnsure = false;
    this.flush();
  }

  heartbeat(): void {
    for (const entry of this.#entries.values()) {
      entry.beats += 1;
      if (entry.state === 'sent' && entry.beats >= BEATS_TO_RESEND) entry.state = 'waiting';
    }
    this.flush();
  }

  /** Handles any frame that answers a message. */
  take(frame: ChatFrame | FrameOf<'history_delta'>['events'][number]): void {
    switch (frame.type) {
      case 'message_accepted':
        this.#accept(frame.client_message_id);
        break;
      case 'message_delivered':
        this.#conclude(frame.client_message_id, { status: 'delivered' });
        break;
      case 'message_failed': {
        const { error, indeterminate = false } = frame;
        this.#conclude(frame.client_message_id, { status: 'failed', error, indeterminate });
        break;
      }
      case 'message_cancelled': {
        const error = { code: 'cancelled', message: 'The message was taken back before it was delivered.' };
        this.#conclude(frame.client_message_id, { status: 'failed', error, indeterminate: false });
        break;
      }
      case 'history_snapshot':
        for (const { client_message_id, status } of frame.messages) {
          if (client_message_id === undefined) continue;
          if (status === 'delivered') this.#conclude(client_message_id, { status });
          else if (status === 'failed') this.#conclude(client_message_id, { status, indeterminate: false });
          else if (status !== undefined) this.#accept(client_message_id);
        }
        break;
      case 'connection_error':
        if (frame.client_message_id !== undefined) this.#refuse(frame.client_message_id, frame);
        break;
    }
  }

  /** Unanswered ones stay in the store. */
  end(error: BridgeError): void {
    this.#ended = error;
    this.#stopResting?.();
    for (const entry of this.#entries.values()) fail(entry, error);
    this.#entries = new Map();
  }

  #frameOf(message: NewMessage): SendFrame {
    if (this.#unanswered().length >= MAX_PENDING) {
      throw transportFailed(
        `${MAX_PENDING} messages are unanswered. Wait for the relay to answer, or drop some.`,
        { reason: 'buffer_full', limit: MAX_PENDING },
      );
    }
    const { session_id, content, attachments, queue } = message;
    const frame: SendFrame = {
      type: 'send_message',
      protocol_version: CHAT_PROTOCOL_VERSION,
      client_message_id: this.#ports.newId(),
      session_id,
      created_at: new Date(this.#ports.clock.now()).toISOString(),
      ...(content !== undefined && { content }),
      ...(attachments !== undefined && { attachments }),
      ...(queue !== undefined && { queue }),
    };
    chat.read(frame);
    const chars = JSON.stringify(frame).length;
    if (chars <= LIMITS.frame.value) return frame;
    throw transportFailed(
      `This message is ${chars} characters long; the limit is ${LIMITS.frame.value}. Attach it as a file.`,
      { reason: 'frame_too_large', chars, limit: LIMITS.frame.value },
    );
  }

  async #load(): Promise<void> {
    try {
      const stored = await this.#ports.store.load();
      if (this.#ended !== undefined) return;
      const left = stored.map((frame) => [frame.client_message_id, createEntry(frame, 'waiting')] as const);
      this.#entries = new Map([...left, ...this.#entries]);
      this.#changed();
      this.flush();
    } catch (cause) {
      this.#storeFailed('Messages of an earlier run could not be read from the outbox.', cause);
    }
  }

  async #store(entry: Entry): Promise<void> {
    try {
      await this.#loaded;
      await this.#ports.store.put(entry.frame);
    } catch (cause) {
      const error = this.#storeFailed('The message could not be stored, so it was not sent.', cause);
      this.#entries.delete(entry.frame.client_message_id);
      fail(entry, error);
      this.#changed();
      this.flush();
      return;
    }
    if (this.#entries.get(entry.frame.client_message_id) !== entry) {
      // Dropped while being stored; a closed link leaves it to the next one.
      if (this.#ended === undefined) this.#remove(entry);
      return;
    }
    entry.state = 'waiting';
    this.flush();
  }

  #accept(client_message_id: string): void {
    const entry = this.#entries.get(client_message_id);
    if (entry === undefined || entry.state === 'accepted') return;
    entry.state = 'accepted';
    entry.accepted.resolve();
    this.#remove(entry);
    this.#changed();
    this.flush();
  }

  #conclude(client_message_id: string, outcome: SendOutcome): void {
    this.#accept(client_message_id);
    this.#entries.get(client_message_id)?.outcome.resolve(outcome);
    this.#entries.delete(client_message_id);
  }

  #refuse(client_message_id: string, frame: FrameOf<'connection_error'>): void {
    const entry = this.#entries.get(client_message_id);
    if (entry === undefined || entry.state === 'accepted') return;
    if (frame.retry_after_ms !== undefined) {
      entry.state = 'waiting';
      this.#rest(frame.retry_after_ms);
      return;
    }
    const error = new ChatRefusal(frame.code, frame.message, frame);
    this.#forget(entry);
    fail(entry, error);
    this.#ports.onProblem({ kind: 'send_refused', error, message: entry.frame });
    this.flush();
  }

  /** A relay with a full disk refuses every message for a time: pauses all sends until then. */
  #rest(ms: number): void {
    this.#stopResting?.();
    this.#stopResting = this.#ports.clock.after(clampMs(ms, SHORTEST_REST_MS), () => {
      this.#stopResting = undefined;
      this.flush();
    });
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.frame.client_message_id);
    this.#remove(entry);
    this.#changed();
  }

  #remove({ frame }: Entry): void {
    this.#ports.store.remove(frame.client_message_id).catch((cause: unknown) => {
      this.#storeFailed('An answered message stays in the outbox, and will be sent once more.', cause);
    });
  }

  #storeFailed(message: string, cause: unknown): BridgeError {
    const error = new BridgeError('transport_failed', message, {
      evidence: { reason: 'store_failed' },
      cause,
    });
    if (this.#ended === undefined) this.#ports.onProblem({ kind: 'store_failed', error });
    return error;
  }

  #unanswered(): Entry[] {
    return [...this.#entries.values()].filter(({ state }) => state !== 'accepted');
  }

  #changed(): void {
    this.#ports.changed(this.pending);
  }
}

const createEntry = (frame: SendFrame, state: Entry['state']): Entry => ({
  frame,
  accepted: createDeferred(),
  outcome: createDeferred(),
  state,
  beats: 0,
});

function fail({ accepted, outcome }: Entry, error: Error): void {
  accepted.reject(error);
  outcome.reject(error);
}
