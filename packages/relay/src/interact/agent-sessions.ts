import { RecentMap } from '@drawbridge/base';
import type { AppendEvent, CommitResult, JsonObject, Ledger, Write } from '@drawbridge/ledger';
import {
  type Activity,
  CHAT_PROTOCOL_VERSION,
  type ChatFrame,
  chat,
  type MessageDetails,
  TASK_SIGNATURE,
} from '@drawbridge/protocol';
import { timeText, trustJson } from '../core/frames.ts';
import type { Connection, CoreClock, Identity, RelayCore, RelayEvent } from '../core/ports.ts';

/** Device that owns the sessions of our own agent. */
export const BRAIN_DEVICE = 'brain';

export interface AgentMessage {
  /** A message sent again with the same id replaces the first and keeps its position. */
  readonly message_id: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  readonly details?: MessageDetails;
  /** Stored beside the details, for readers of the ledger. */
  readonly metadata?: JsonObject;
  /** Time of the first send, in milliseconds since 1970; now when left out. */
  readonly said_at?: number;
}

/** A person's message to a session, already in its transcript. */
export interface PersonMessage {
  readonly session_id: string;
  readonly client_message_id: string;
  readonly content: string;
}

/** Returns why the message failed, or undefined. */
type Hearer = (said: PersonMessage) => Promise<string | undefined>;

export interface AgentSessionsOptions {
  readonly core: Pick<RelayCore, 'appended' | 'connect'>;
  readonly ledger: Pick<Ledger, 'commit'>;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly onError: (error: unknown) => void;
}

/** Conversations of our own agent: sessions like any other, on every screen. */
export interface AgentSessions {
  /** Announces the session or its new title. Resolves when stored; rejects when another device owns it. */
  readonly open: (session: Opening) => Promise<void>;
  /** Stores these messages and writes in one transaction. The session must be open. */
  readonly appendMessages: (
    session_id: string,
    messages: readonly AgentMessage[],
    writes?: readonly Write[],
  ) => Promise<CommitResult>;
  /** The agent's current activity in the session. */
  readonly status: (session_id: string, activity: Activity) => void;
  /**
   * A message is delivered once every listener has stored it, and failed when one has not. Returns a function
   * that unsubscribes.
   */
  readonly onPersonMessage: (listener: Hearer) => () => void;
  /**
   * A person stops the work of a session, or closes it. The listener returns whether it stopped something.
   */
  readonly onInterrupt: (listener: (session_id: string) => boolean) => () => void;
  readonly close: () => void;
}

type FrameOf<Type extends ChatFrame['type']> = Extract<ChatFrame, { type: Type }>;

interface Opening {
  readonly session_id: string;
  readonly title: string;
  /** True for a task's session, which screens list under Tasks. A later opening without it keeps it. */
  readonly isTask?: boolean;
}

interface OpenSession extends Pick<Opening, 'title' | 'isTask'> {
  activity?: Activity;
  readonly stored: Promise<void>;
}

const RECONNECT_MS = 1_000;
/** Announces at most this many sessions; the least recently used are dropped. */
const MAX_OPEN = 200;

/**
 * To the core our agent is a proxy like any other. Only its messages are stored
 * beside the core, which gets their events afterwards: a step and the state of its task are one transaction, so no crash
 * separates them.
 */
export function createAgentSessions(options: AgentSessionsOptions): AgentSessions {
  const { core, ledger, clock, id, onError } = options;
  const open = new RecentMap<string, OpenSession>(MAX_OPEN);
  const awaited = new Map<
    string,
    { readonly resolve: () => void; readonly reject: (error: Error) => void }
  >();
  const refused = new Map<string, FrameOf<'connection_error'>>();
  const hearers = new Set<Hearer>();
  const stoppers = new Set<(session_id: string) => boolean>();
  let connection: Connection | undefined;
  let closed = false;
  let beatEvery = 0;
  let beatAfter = () => {};

  const connect = (): Connection =>
    core.connect({
      identity: IDENTITY,
      send(text) {
        hear(chat.parse(text));
        return true;
      },
      drained: () => Promise.resolve(),
      close: lose,
    });

  const send = (frame: Record<string, unknown>): void => {
    if (closed) return;
    if (connection === undefined) {
      connection = connect();
      send(HELLO);
    }
    connection?.receive(JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, ...frame }));
  };

  const giveUp = (reason: string): void => {
    beatAfter();
    for (const { reject } of awaited.values()) reject(new Error(reason));
    awaited.clear();
  };

  /** The core disconnects us like any idle peer. The next snapshot brings the sessions back. */
  const lose = (): void => {
    connection = undefined;
    if (closed) return;
    giveUp('Our own agent was cut off from the relay. Try again.');
    beatAfter = clock.after(RECONNECT_MS, announce);
  };

  const end = (): void => {
    if (closed) return;
    closed = true;
    giveUp('The relay is stopping.');
    connection?.closed();
  };

  const beat = (): void => send({ type: 'heartbeat' });

  const hear = (frame: ChatFrame): void => {
    if (frame.type === 'connection_ack') {
      beatEvery = frame.heartbeat_interval_ms;
      beat();
    }
    if (frame.type === 'heartbeat_ack') acknowledged(frame);
    if (frame.type === 'connection_error' && frame.session_id !== undefined) {
      refused.set(frame.session_id, frame);
    }
    if (frame.type === 'send_message') heard(frame);
    if (frame.type === 'agent_interrupt') answer(frame, stop(frame.session_id) ? undefined : NOT_ACTIVE);
    if (frame.type === 'agent_set_model' || frame.type === 'agent_config_request') {
      answer(frame, NOT_SUPPORTED);
    }
    if (frame.type === 'close_session') closedBy(frame);
  };

  /** An ack arrives after everything sent before it was handled. */
  const acknowledged = ({ request_id }: FrameOf<'heartbeat_ack'>): void => {
    if (request_id === undefined) {
      beatAfter = clock.after(beatEvery, beat);
      return;
    }
    awaited.get(request_id)?.resolve();
    awaited.delete(request_id);
  };

  const heard = (frame: FrameOf<'send_message'>): void => {
    const { session_id, client_message_id, attempt, content = '' } = frame;
    const sent = { session_id, client_message_id, ...(attempt !== undefined && { attempt }) };
    const said = { session_id, client_message_id, content };
    const result = (problem: string | undefined): void => {
      const error = problem !== undefined && { error: { code: 'send_injection_failed', message: problem } };
      send({ type: 'proxy_send_result', ...sent, result: error ? 'failed' : 'delivered', ...error });
    };
    Promise.all([...hearers].map(async (hearer) => hearer(said))).then(
      (problems) => result(problems.find((problem) => problem !== undefined)),
      (cause: unknown) => {
        onError(cause);
        result(NOT_STORED_YET);
      },
    );
  };

  const stop = (session_id: string): boolean =>
    [...stoppers].map((stopper) => guarded(() => stopper(session_id)) === true).includes(true);

  const closedBy = ({ session_id, request_id }: FrameOf<'close_session'>): void => {
    stop(session_id);
    open.delete(session_id);
    send({ type: 'session_closed', session_id, request_id, reason: 'user_requested' });
  };

  const answer = (
    { type: command, session_id, request_id }: Control,
    error: { readonly code: string; readonly message: string } | undefined,
  ): void => {
    const result = error === undefined ? { result: 'ok' } : { result: 'failed', error };
    send({ type: 'agent_control_result', request_id, session_id, command, ...result });
  };

  const guarded = <Result>(act: () => Result): Result | undefined => {
    try {
      return act();
    } catch (error) {
      onError(error);
      return undefined;
    }
  };

  /** A snapshot lists all sessions: those it leaves out have ended (CHT-118). */
  const announce = (): void => {
    const sessions = [...open].map(([session_id, { title, isTask, activity }]) => ({
      session_id,
      agent_type: 'unknown',
      agent_name: 'drawbridge',
      display_name: title,
      status: 'healthy',
      ...(isTask && { target_signature: TASK_SIGNATURE }),
      ...(activity && { activity }),
    }));
    send({ type: 'proxy_session_snapshot', sessions });
  };

  const announced = (session_id: string, isRetry = false): Promise<void> => {
    const request_id = id('req');
    refused.delete(session_id);
    return new Promise<void>((resolve, reject) => {
      awaited.set(request_id, { resolve, reject });
      announce();
      send({ type: 'heartbeat', request_id });
    }).then(() => {
      const problem = refused.get(session_id);
      if (problem === undefined) return undefined;
      // The session was deleted, and the core now accepts the id as a new session.
      if (problem.code === 'session_unknown' && !isRetry) return announced(session_id, true);
      throw new Error(problem.message);
    });
  };

  const opened = ({ session_id, title, ...opening }: Opening) => {
    const there = open.get(session_id);
    const isTask = opening.isTask ?? there?.isTask ?? false;
    if (there?.title === title && there.isTask === isTask) {
      open.set(session_id, there);
      return there.stored;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    open.set(session_id, { title, isTask, stored: promise });
    announced(session_id).then(resolve, (error: unknown) => {
      open.delete(session_id);
      reject(error);
    });
    return promise;
  };

  const eventOf = (session_id: string, message: AgentMessage, at: number): AppendEvent => {
    const { message_id, role, content, details, metadata, said_at = at } = message;
    const said = {
      ...{ message_id, role, content: content.toWellFormed(), created_at: timeText(said_at) },
      ...((details ?? metadata) && { metadata: { ...metadata, ...(details && { details }) } }),
    };
    const payload = trustJson({ message: said });
    return {
      do: 'append_event',
      session_id,
      event_id: id('evt'),
      type: 'message_event',
      payload,
      at,
      message_id,
    };
  };

  return {
    open: (session) => (closed ? Promise.reject(new Error('The relay is stopping.')) : opened(session)),
    async appendMessages(session_id, messages, writes = []) {
      const at = clock.now();
      const events = messages.map((message) => eventOf(session_id, message, at));
      const outcome: CommitResult = await ledger.commit([...writes, ...events]);
      if (!outcome.committed || events.length === 0) return outcome;
      const appended = outcome.results.slice(writes.length);
      const told = events.map((event, index) => eventAt(event, appended[index]));
      core.appended(session_id, told);
      return outcome;
    },
    status: (session_id, activity) => {
      const session = open.get(session_id);
      if (session === undefined) return;
      session.activity = activity;
      send({ type: 'proxy_status', session_id, activity });
    },
    onPersonMessage(listener) {
      hearers.add(listener);
      return () => hearers.delete(listener);
    },
    onInterrupt(listener) {
      stoppers.add(listener);
      return () => stoppers.delete(listener);
    },
    close: end,
  };
}

type Control = FrameOf<'agent_interrupt' | 'agent_set_model' | 'agent_config_request'>;

function eventAt(write: AppendEvent, result: object | null | undefined): RelayEvent {
  const { session_id, event_id, type, payload, at, message_id = null } = write;
  if (!result || !('sequence' in result) || typeof result.sequence !== 'number') {
    throw new Error('The ledger appended an event without a sequence.');
  }
  return { session_id, sequence: result.sequence, event_id, type, payload, at, message_id };
}

const IDENTITY: Identity = { device_id: BRAIN_DEVICE, roles: ['proxy'], label: 'Drawbridge', scopes: [] };
const HELLO = {
  type: 'connection_hello',
  peer_role: 'proxy',
  client_name: 'drawbridge-brain',
  features: ['no_launch'],
};
const NOT_STORED_YET = 'The relay could not keep this. Send it again.';
const NOT_ACTIVE = { code: 'agent_not_active', message: 'Nothing runs in this session just now.' };
const NOT_SUPPORTED = { code: 'control_not_supported', message: 'Our own agent has no such control.' };
