import { BACKOFF_MAX_MS, type Backoff, type Clock, createBackoff } from '@drawbridge/base';
import {
  type BridgeError,
  CHAT_PROTOCOL_VERSION,
  type ChatFeature,
  type ChatFrame,
  chat,
  LIMITS,
} from '@drawbridge/protocol';
import { systemClock } from '../clock.ts';
import { CLOSE_LAGGING, CLOSE_TAKEN_OVER, type WireEnd } from '../frame-wire.ts';
import type { CloseReason } from '../link.ts';
import { createListeners } from '../listeners.ts';
import { BEARER_PREFIX, openSocket, PROOF_PREFIX, SUBPROTOCOL } from '../socket-like.ts';
import { transportFailed } from '../transport-error.ts';
import { ChatConnection, clampMs } from './chat-connection.ts';
import {
  type Answers,
  type ChatEvent,
  type ChatLink,
  type ChatProblem,
  type ChatState,
  type FrameOf,
  isEvent,
  type NewMessage,
  type Outgoing,
  type RequestFrame,
  type RequestType,
  type Resumed,
  type ResumePoint,
  type SendFrame,
} from './chat-link.ts';
import type { ChatOptions } from './chat-options.ts';
import { EventOrder } from './event-order.ts';
import { memoryOutbox } from './outbox-store.ts';
import { Requests } from './requests.ts';
import { SendQueue } from './send-queue.ts';
import { createTimeOrderedIds } from './time-ordered-id.ts';
import { onWakeUp } from './wake-up.ts';

const OPEN_TIMEOUT_MS = 10_000;
const MAX_BUFFERED_BYTES = 1_048_576;
const FAILED_OPENS_TO_CHECK = 3;
const OWN_FEATURES: readonly ChatFeature[] = ['lagging', 'reconnect_hint'];
/** The link puts the texts of `appends` together, so its callers get whole events. */
const ofAppends = (features: readonly ChatFeature[]): readonly ChatFeature[] =>
  features.includes('appends') ? ['continued'] : [];
const REFUSED_STATUSES: readonly number[] = [401, 403];

/** Opens after the current tick, so that listeners can be added. */
export function connectChat(options: ChatOptions): ChatLink {
  return new ChatClient(options);
}

class ChatClient implements ChatLink {
  readonly #options: ChatOptions;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #backoff: Backoff;
  readonly #order: EventOrder;
  readonly #sends: SendQueue;
  readonly #requests: Requests;
  readonly #states = createListeners<ChatState>();
  readonly #frames = createListeners<ChatFrame>();
  readonly #events = createListeners<ChatEvent>();
  readonly #resumed = createListeners<Resumed>();
  readonly #pendings = createListeners<readonly SendFrame[]>();
  readonly #troubles = createListeners<ChatProblem>();
  readonly onState = this.#states.add;
  readonly onFrame = this.#frames.add;
  readonly onEvent = this.#events.add;
  readonly onResumed = this.#resumed.add;
  readonly onPending = this.#pendings.add;
  readonly onProblem = this.#troubles.add;
  readonly #stopWakeUps: () => void;
  #state: ChatState = { kind: 'connecting', attempt: 1 };
  #connection: ChatConnection | undefined;
  /** Launches pending at the relay at the ack; undefined once the relay has delivered everything held for us. */
  #launches: ReadonlySet<string> | undefined;
  #attempt = 0;
  #failedOpens = 0;
  #hintMs = 0;
  #stopWaiting = () => {};

  constructor(options: ChatOptions) {
    this.#options = options;
    const clock = options.clock ?? systemClock;
    this.#clock = clock;
    this.#newId = options.newId ?? createTimeOrderedIds(clock.now);
    this.#backoff = createBackoff(options.backoff);
    this.#order = new EventOrder(
      {
        clock,
        deliver: (event) => {
          this.#sends.take(event);
          this.#events.emit(event);
        },
        ask: (session_id, after_sequence) => this.#askHistory(session_id, after_sequence),
        emit: (resumed) => this.#resumed.emit(resumed),
        overdue: (session_id) =>
          this.#ended({
            message: 'A history did not come in time.',
            evidence: { reason: 'history_overdue', session_id },
          }),
      },
      options.resume,
    );
    this.#requests = new Requests({ clock, transmit: this.#transmit });
    this.#sends = new SendQueue({
      store: options.outbox ?? memoryOutbox(),
      clock,
      newId: this.#newId,
      transmit: this.#transmit,
      changed: (pending) => this.#pendings.emit(pending),
      onProblem: (problem) => this.#troubles.emit(problem),
    });
    this.#stopWakeUps = (options.onWakeUp ?? onWakeUp)(this.wake);
    queueMicrotask(() => this.#connect());
  }

  get state(): ChatState {
    return this.#state;
  }

  get pending(): readonly SendFrame[] {
    return this.#sends.pending;
  }

  get resumePoint(): ResumePoint {
    return this.#order.point;
  }

  send = (outgoing: Outgoing): void => {
    if (this.#state.kind === 'closed') throw this.#state.error;
    const frame = chat.read({ ...outgoing, protocol_version: CHAT_PROTOCOL_VERSION });
    const text = JSON.stringify(frame);
    const evidence = { type: frame.type, chars: text.length, limit: LIMITS.frame.value };
    if (text.length > LIMITS.frame.value) {
      throw transportFailed(
        `This ${frame.type} is ${text.length} characters long; the limit is ${LIMITS.frame.value}. Send less, or a reference to it.`,
        { reason: 'frame_too_large', ...evidence },
      );
    }
    if (this.#connection?.send(text)) return;
    throw this.#connection?.isAcked
      ? transportFailed('The peer reads too slowly, so this was not sent. Try again when it has caught up.', {
          reason: 'backpressure',
          ...evidence,
        })
      : transportFailed('The link is not open, so this was not sent. Wait for the state open.', {
          reason: 'not_open',
          ...evidence,
        });
  };

  sendMessage = (message: NewMessage) => this.#sends.add(message);

  drop = (client_message_id: string): void => this.#sends.drop(client_message_id);

  request = async <Type extends RequestType>(
    frame: RequestFrame<Type>,
    { timeoutMs }: { readonly timeoutMs?: number } = {},
  ): Promise<Answers[Type]> => {
    if (this.#state.kind === 'closed') throw this.#state.error;
    const { request_id = this.#newId() } = frame;
    const answer = this.#requests.start(frame, request_id, timeoutMs);
    return answer.finally(() => this.#order.release(request_id));
  };

  wake = (): void => {
    if (this.#state.kind === 'open') this.#connection?.probe();
    if (this.#state.kind !== 'waiting') return;
    this.#stopWaiting();
    this.#backoff.reset();
    this.#connect();
  };

  close = (): void =>
    this.#close('closed_here', transportFailed('The link was closed here.', { reason: 'closed_here' }));

  #transmit = (frame: ChatFrame): boolean => {
    if (!this.#connection?.isAcked || !this.#connection.send(JSON.stringify(frame))) return false;
    if (frame.type === 'history_request') this.#order.asked(frame);
    return true;
  };

  get #isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  #connect(): void {
    if (this.#isClosed) return;
    this.#attempt += 1;
    this.#become({ kind: 'connecting', attempt: this.#attempt });
    if (this.#isClosed) return;
    const { proof } = this.#options;
    if (proof === undefined) {
      this.#dial(undefined);
      return;
    }
    const attempt = this.#attempt;
    proof().then(
      (text) => {
        if (!this.#isClosed && this.#attempt === attempt) this.#dial(text);
      },
      (cause: unknown) =>
        this.#ended({ message: 'The proof could not be made.', evidence: { reason: 'dial_failed' } }, cause),
    );
  }

  #dial(proof: string | undefined): void {
    const { url, token, open = openSocket, openTimeoutMs = OPEN_TIMEOUT_MS } = this.#options;
    const { maxBufferedBytes = MAX_BUFFERED_BYTES } = this.#options;
    // A browser cannot set headers on a WebSocket:
    // https://websockets.spec.whatwg.org/#dom-websocket-websocket
    const protocols = [
      SUBPROTOCOL,
      ...(token === undefined ? [] : [BEARER_PREFIX + token]),
      ...(proof === undefined ? [] : [PROOF_PREFIX + proof]),
    ];
    const asked = this.#order.point;
    try {
      this.#connection = new ChatConnection({
        clock: this.#clock,
        socket: open(url, protocols),
        hello: this.#hello(asked),
        openTimeoutMs,
        maxBufferedBytes,
        onAck: (ack) => this.#acked(ack, asked),
        onFrame: (frame) => this.#take(frame),
        onProblem: (problem) => this.#troubles.emit(problem),
        onHeartbeat: () => this.#sends.heartbeat(),
        onEnd: (end) => this.#ended(end),
      });
    } catch (cause) {
      this.#ended(
        { message: 'The connection could not be opened.', evidence: { reason: 'dial_failed' } },
        cause,
      );
    }
  }

  #hello(resume: ResumePoint): FrameOf<'connection_hello'> {
    const { peer_role, client_name, client_version, client_id, machine_label, features = [] } = this.#options;
    return {
      type: 'connection_hello',
      protocol_version: CHAT_PROTOCOL_VERSION,
      peer_role,
      client_name,
      ...(client_version !== undefined && { client_version }),
      ...(client_id !== undefined && { client_id }),
      ...(machine_label !== undefined && { machine_label }),
      features: [...new Set([...features, ...OWN_FEATURES, ...ofAppends(features)])],
      ...(resume.sessions.length > 0 && { resume: { ...resume, sessions: [...resume.sessions] } }),
    };
  }

  #acked(ack: FrameOf<'connection_ack'>, asked: ResumePoint): void {
    this.#attempt = 0;
    this.#failedOpens = 0;
    this.#backoff.reset();
    this.#launches = new Set(ack.pending_launches?.map(({ request_id }) => request_id));
    const { connection_id, epoch, features } = ack;
    this.#become({
      kind: 'open',
      ...(connection_id !== undefined && { connection_id }),
      ...(epoch !== undefined && { epoch }),
      ...(features !== undefined && { features }),
    });
    this.#frames.emit(ack);
    this.#order.resume(ack, asked);
    // The relay delivers everything held for us before its answer to this.
    if (this.#requests.hasUnsure || this.#sends.isUnsure) this.#connection?.heartbeat();
    this.#requests.flush();
    this.#sends.flush();
  }

  #take(frame: ChatFrame): void {
    // A receipt that the caller asked for; the link's own heartbeats have no id.
    if (frame.type === 'heartbeat_ack' && frame.request_id !== undefined) {
      this.#frames.emit(frame);
      return;
    }
    if (frame.type === 'heartbeat_ack') {
      if (this.#launches !== undefined) this.#requests.caughtUp(this.#launches);
      this.#launches = undefined;
      this.#sends.caughtUp();
      return;
    }
    if (frame.type === 'reconnect_hint') this.#hintMs = clampMs(frame.after_ms);
    this.#sends.take(frame);
    this.#requests.take(frame);
    if (frame.type === 'message_append') this.#order.appended(frame);
    if (isEvent(frame)) this.#order.event(frame);
    else if (frame.type === 'history_delta') this.#order.delta(frame);
    else this.#frames.emit(frame);
    if (frame.type === 'history_snapshot') this.#order.snapshot(frame);
    if (frame.type === 'connection_error' && frame.client_message_id === undefined) this.#order.failed(frame);
  }

  #askHistory(session_id: string, after_sequence: number): string {
    const request_id = this.#newId();
    const { epoch } = this.#order;
    this.#transmit({
      type: 'history_request',
      protocol_version: CHAT_PROTOCOL_VERSION,
      request_id,
      session_id,
      after_sequence,
      ...(epoch !== undefined && { epoch }),
    });
    return request_id;
  }

  #ended({ final, message, evidence }: WireEnd, cause?: unknown): void {
    if (this.#isClosed) return;
    const error = transportFailed(message, evidence, cause);
    const wasOpen = this.#state.kind === 'open';
    this.#letGo(error);
    if (final !== undefined) {
      this.#close(final, error);
      return;
    }
    const waitMs = this.#waitAfter(evidence['close_code']);
    this.#stopWaiting = this.#clock.after(waitMs, () => this.#connect());
    this.#become({ kind: 'waiting', until: this.#clock.now() + waitMs, error });
    this.#failedOpens = wasOpen ? 0 : this.#failedOpens + 1;
    if (this.#failedOpens >= FAILED_OPENS_TO_CHECK) void this.#checkCredential();
  }

  #waitAfter(closeCode: unknown): number {
    const hintMs = this.#hintMs;
    this.#hintMs = 0;
    const waitMs = this.#backoff.next();
    // Keeps two clients of one id from replacing each other in a loop.
    if (closeCode === CLOSE_TAKEN_OVER) return this.#options.backoff?.maxMs ?? BACKOFF_MAX_MS;
    return hintMs + waitMs;
  }

  async #checkCredential(): Promise<void> {
    let status: number | undefined;
    try {
      status = await this.#options.checkCredential?.();
    } catch {
      // An unknown result does not end the link: the whole relay may be down.
    }
    if (status === undefined || !REFUSED_STATUSES.includes(status) || this.#state.kind === 'open') return;
    const evidence = { reason: 'credential_refused', status };
    this.#close(
      'refused',
      transportFailed('The relay does not accept the credential. Pair again.', evidence),
    );
  }

  #letGo(error: BridgeError): void {
    this.#stopWaiting();
    this.#connection?.close(CLOSE_LAGGING, 'unusable');
    this.#connection = undefined;
    this.#launches = undefined;
    this.#order.pause();
    this.#sends.broken();
    this.#requests.broken(error);
  }

  #close(reason: CloseReason, error: BridgeError): void {
    if (this.#isClosed) return;
    this.#connection?.close();
    this.#letGo(error);
    this.#order.end();
    this.#stopWakeUps();
    this.#become({ kind: 'closed', reason, error });
    this.#requests.end(error);
    this.#sends.end(error);
  }

  #become(state: ChatState): void {
    if (this.#isClosed) return;
    this.#state = state;
    this.#states.emit(state);
  }
}
