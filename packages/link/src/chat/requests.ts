import { type Clock, createDeferred } from '@drawbridge/base';
import {
  type BridgeError,
  CHAT_PROTOCOL_VERSION,
  type ChatFrame,
  type ChatFrameType,
  chat,
} from '@drawbridge/protocol';
import { transportFailed } from '../transport-error.ts';
import { type Answers, ChatRefusal, type FrameOf, type RequestFrame, type RequestType } from './chat-link.ts';

export interface RequestPorts {
  readonly clock: Clock;
  /** False when it cannot be sent now. */
  readonly transmit: (frame: ChatFrame) => boolean;
}

const CONTROL = ['agent_control_result'] as const;
const ANSWERS: Readonly<Record<RequestType, readonly ChatFrameType[]>> = {
  launch_session: ['session_launch_ack'],
  close_session: ['session_closed'],
  agent_interrupt: CONTROL,
  permission_response: CONTROL,
  agent_set_model: CONTROL,
  agent_set_mode: CONTROL,
  agent_goal_control: CONTROL,
  agent_answer: CONTROL,
  agent_config_request: ['agent_config'],
  history_request: ['history_snapshot', 'history_delta'],
};

/** Broadcasts: they answer every request about that session, whatever their `request_id`. */
const ABOUT_THE_SESSION: readonly ChatFrameType[] = ['session_closed', 'agent_config'];

/** Idempotent requests. An interrupt is not one: a late one would stop something else. */
const REPEATABLE: readonly RequestType[] = ['launch_session', 'history_request', 'agent_config_request'];

export const REQUEST_TIMEOUT_MS = 20_000;
/** Longer than the relay's own timeout (CHT-186), whose answer says more. */
export const LAUNCH_TIMEOUT_MS = 45_000;

type Sendable = FrameOf<RequestType> & { readonly request_id: string };

interface Pending {
  readonly frame: Sendable;
  readonly resolve: (frame: ChatFrame) => boolean;
  readonly reject: (error: Error) => void;
  /** `unsure`: sent on an earlier connection. */
  state: 'waiting' | 'sent' | 'unsure';
  /** The relay has confirmed the launch. */
  isLaunching: boolean;
}

/** Matches answers to requests. */
export class Requests {
  readonly #ports: RequestPorts;
  readonly #pending = new Map<string, Pending>();

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  /** True when a request may have been sent on an earlier connection. */
  get hasUnsure(): boolean {
    return [...this.#pending.values()].some(({ state }) => state === 'unsure');
  }

  start<Type extends RequestType>(
    request: RequestFrame<Type>,
    request_id: string,
    timeoutMs = request.type === 'launch_session' ? LAUNCH_TIMEOUT_MS : REQUEST_TIMEOUT_MS,
  ): Promise<Answers[Type]> {
    const frame = parseRequest({ ...request, request_id, protocol_version: CHAT_PROTOCOL_VERSION });
    const { promise, resolve, reject } = createDeferred<Answers[Type]>();
    const stopTimer = this.#ports.clock.after(timeoutMs, () =>
      pending.reject(
        transportFailed(`There was no answer to ${frame.type} in time. Look at the session, and ask again.`, {
          reason: 'request_timeout',
          request_id,
          timeout_ms: timeoutMs,
        }),
      ),
    );
    const done = () => {
      stopTimer();
      this.#pending.delete(request_id);
    };
    const pending: Pending = {
      frame,
      resolve: (answer) => {
        if (!isAnswer(request.type, answer)) return false;
        done();
        resolve(answer);
        return true;
      },
      reject: (error) => {
        done();
        reject(error);
      },
      state: 'waiting',
      isLaunching: false,
    };
    this.#pending.set(request_id, pending);
    if (this.#ports.transmit(frame)) pending.state = 'sent';
    else if (!REPEATABLE.includes(frame.type)) pending.reject(cannotSend(frame));
    return promise;
  }

  take(frame: ChatFrame): void {
    for (const pending of [...this.#pending.values()]) {
      if (frame.type === 'session_launching' && frame.request_id === pending.frame.request_id) {
        pending.isLaunching = true;
      }
      const refusal = refusalOf(pending.frame, frame);
      if (refusal !== undefined) pending.reject(refusal);
      else if (concerns(pending.frame, frame) && pending.resolve(frame) && !isShared(frame)) return;
    }
  }

  /** The connection ended. */
  broken(error: BridgeError): void {
    for (const pending of [...this.#pending.values()]) {
      if (pending.state === 'sent') pending.state = 'unsure';
      if (!REPEATABLE.includes(pending.frame.type)) {
        pending.reject(
          transportFailed(
            `The connection broke before ${pending.frame.type} was answered: it may or may not have been done. Look at the session before asking again.`,
            { reason: 'link_broken', request_id: pending.frame.request_id, code: error.code },
            error,
          ),
        );
      }
    }
  }

  /** Sends requests that were never sent. */
  flush(): void {
    for (const pending of this.#pending.values()) {
      if (pending.state === 'waiting' && this.#ports.transmit(pending.frame)) pending.state = 'sent';
    }
  }

  /**
   * The relay has delivered everything held for us (CHT-190). A launch that it had and that is no longer
   * pending has an outcome lost with the old connection: repeating it would start a second agent (CHT-194
   * covers pending ones only).
   */
  caughtUp(launches: ReadonlySet<string>): void {
    for (const pending of [...this.#pending.values()]) {
      const { request_id } = pending.frame;
      if (pending.state !== 'unsure') continue;
      if (launches.has(request_id)) pending.state = 'sent';
      else if (pending.isLaunching) {
        pending.reject(
          transportFailed(
            'The connection broke while the agent was started. Look for it among the sessions.',
            {
              reason: 'outcome_unknown',
              request_id,
            },
          ),
        );
      } else if (this.#ports.transmit(pending.frame)) pending.state = 'sent';
    }
  }

  end(error: BridgeError): void {
    for (const pending of [...this.#pending.values()]) pending.reject(error);
  }
}

function parseRequest(value: unknown): Sendable {
  const frame = chat.read(value);
  const isRequest = (one: ChatFrame): one is Sendable => Object.hasOwn(ANSWERS, one.type);
  if (isRequest(frame)) return frame;
  throw new TypeError(`${frame.type} has no answer to wait for: use send.`);
}

const isAnswer = <Type extends RequestType>(
  type: Type,
  frame: ChatFrame,
): frame is Answers[Type] & ChatFrame => ANSWERS[type].includes(frame.type);

const isShared = (frame: ChatFrame): boolean => ABOUT_THE_SESSION.includes(frame.type);

function concerns(request: Sendable, frame: ChatFrame): boolean {
  if (frame.request_id === request.request_id) return true;
  if (!('session_id' in request) || !('session_id' in frame) || frame.session_id !== request.session_id) {
    return false;
  }
  if (isShared(frame)) return true;
  // A history without `request_id`: the oldest matching request.
  if (request.type !== 'history_request' || frame.request_id !== undefined) return false;
  return frame.type === 'history_snapshot'
    ? request.after_sequence === undefined
    : frame.type === 'history_delta' && frame.from_sequence === request.after_sequence;
}

function refusalOf(request: Sendable, frame: ChatFrame): ChatRefusal | undefined {
  if (frame.request_id !== request.request_id) return undefined;
  switch (frame.type) {
    case 'session_launch_failed':
      return new ChatRefusal(frame.error_code, frame.reason, frame);
    case 'agent_control_result': {
      if (frame.result === 'ok') return undefined;
      const { code = 'unknown', message = 'The proxy does not say why.' } = frame.error ?? {};
      return new ChatRefusal(frame.error_code ?? code, message, frame);
    }
    case 'connection_error':
      // CHT-171: a snapshot follows it.
      if (request.type === 'history_request' && frame.code === 'resume_cursor_invalid') return undefined;
      return new ChatRefusal(frame.code, frame.message, frame);
    default:
      return undefined;
  }
}

const cannotSend = ({ type, request_id }: Sendable): BridgeError =>
  transportFailed(`${type} was not sent: the link is not open, or the peer does not read. Try again later.`, {
    reason: 'not_sent',
    request_id,
  });
