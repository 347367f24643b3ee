import type { BridgeError, ChatFrame, ChatFrameType, SessionEvent } from '@drawbridge/protocol';
import type { LinkState } from '../link.ts';

/** A frame with a sequence in a session's log. */
export type ChatEvent = SessionEvent & { readonly event_id: string; readonly sequence: number };

export type FrameOf<Type extends ChatFrameType> = Extract<ChatFrame, { type: Type }>;

type Without<Frame, Keys extends string> = Frame extends unknown ? Omit<Frame, Keys> : never;
/** The link adds the version. */
export type Outgoing = Without<ChatFrame, 'protocol_version'>;

export type SendFrame = FrameOf<'send_message'>;
export type NewMessage = Pick<SendFrame, 'session_id' | 'content' | 'attachments' | 'queue'>;

export type SendOutcome =
  | { readonly status: 'delivered' }
  /** Without `error`: reported by a history, which has no reason. */
  | {
      readonly status: 'failed';
      readonly error?: { readonly code: string; readonly message: string };
      readonly indeterminate: boolean;
    };

export interface SentMessage {
  readonly client_message_id: string;
  /** Rejects with `ChatRefusal` when the relay refuses, or `transport_failed` when the link closes first. */
  readonly accepted: Promise<void>;
  readonly outcome: Promise<SendOutcome>;
}

/** `gap`: events were missed; a `history_snapshot` follows where the relay has one. */
export interface Resumed {
  readonly session_id: string;
  readonly result: 'ok' | 'gap';
}

export interface ResumePoint {
  readonly epoch?: string;
  readonly sessions: ReadonlyArray<{ readonly session_id: string; readonly last_sequence: number }>;
}

export type ChatState =
  | Exclude<LinkState, { readonly kind: 'open' }>
  | {
      readonly kind: 'open';
      readonly connection_id?: string;
      readonly epoch?: string;
      readonly features?: readonly string[];
    };

export type ChatProblem =
  /** Invalid chat frame, or one before `connection_ack`; ignored. */
  | { readonly kind: 'refused'; readonly error: BridgeError; readonly frame: string }
  /** The relay refused this message, and it was removed from the outbox. */
  | { readonly kind: 'send_refused'; readonly error: ChatRefusal; readonly message: SendFrame }
  | { readonly kind: 'store_failed'; readonly error: BridgeError };

/** Request types of `request`, and the answers of each. */
export interface Answers {
  readonly launch_session: FrameOf<'session_launch_ack'>;
  readonly close_session: FrameOf<'session_closed'>;
  readonly agent_interrupt: FrameOf<'agent_control_result'>;
  readonly permission_response: FrameOf<'agent_control_result'>;
  readonly agent_set_model: FrameOf<'agent_control_result'>;
  readonly agent_set_mode: FrameOf<'agent_control_result'>;
  readonly agent_goal_control: FrameOf<'agent_control_result'>;
  readonly agent_answer: FrameOf<'agent_control_result'>;
  readonly agent_config_request: FrameOf<'agent_config'>;
  readonly history_request: FrameOf<'history_snapshot' | 'history_delta'>;
}
export type RequestType = keyof Answers;
export type RequestFrame<Type extends RequestType = RequestType> = Without<
  FrameOf<Type>,
  'protocol_version' | 'request_id'
> & { readonly type: Type; readonly request_id?: string };

export const isEvent = <Frame extends ChatFrame | SessionEvent>(frame: Frame): frame is Frame & ChatEvent =>
  'sequence' in frame && frame.sequence !== undefined && frame.event_id !== undefined;

/** The peer's own refusal. The code is any stable string, as a proxy may define codes (CHT-257). */
export class ChatRefusal extends Error {
  override readonly name = 'ChatRefusal';
  readonly code: string;
  readonly frame: ChatFrame;

  constructor(code: string, message: string, frame: ChatFrame) {
    super(message);
    this.code = code;
    this.frame = frame;
  }
}

/** A browser's or proxy's end of contract 3, across reconnects. */
export interface ChatLink {
  readonly state: ChatState;
  /** Unanswered messages, the oldest first, including those of an earlier run. */
  readonly pending: readonly SendFrame[];
  /** Where another link can continue: pass it as `resume`. */
  readonly resumePoint: ResumePoint;
  readonly onState: (listener: (state: ChatState) => void) => () => void;
  /** Every frame except events and their replays: answers, snapshots, requests to a proxy. */
  readonly onFrame: (listener: (frame: ChatFrame) => void) => () => void;
  /** Each event of a session once, in order, live or replayed. */
  readonly onEvent: (listener: (event: ChatEvent) => void) => () => void;
  readonly onResumed: (listener: (resumed: Resumed) => void) => () => void;
  readonly onPending: (listener: (pending: readonly SendFrame[]) => void) => () => void;
  readonly onProblem: (listener: (problem: ChatProblem) => void) => () => void;
  /** Throws `transport_failed` unless it is sent now; nothing is queued. */
  readonly send: (frame: Outgoing) => void;
  /** Stored, then retried with the same id until answered (CHT-134, CHT-135). */
  readonly sendMessage: (message: NewMessage) => SentMessage;
  /** Removes an unanswered message from the outbox, although it may have arrived. */
  readonly drop: (client_message_id: string) => void;
  readonly request: <Type extends RequestType>(
    frame: RequestFrame<Type>,
    options?: { readonly timeoutMs?: number },
  ) => Promise<Answers[Type]>;
  /** Retries at once instead of waiting; probes an open link. */
  readonly wake: () => void;
  /** Idempotent. Unanswered messages stay in the store for the next link. */
  readonly close: () => void;
}
