import {
  type Activity,
  type Answer,
  type Asker,
  CHAT_PROTOCOL_VERSION,
  type ChatFrame,
  chat,
  type MessageDetails,
  onAbort,
  plainLine,
  type Question,
  quotedLine,
} from '@drawbridge/protocol';
import type { Connection, CoreClock, Identity, RelayCore } from '../core/ports.ts';
import { BESIDE } from '../core/prompt.ts';
import { choicesOf, decisionOf, promptTextOf } from './question-prompt.ts';

const MAX_REASON_CHARS = 500;

export interface PromptAskerOptions {
  readonly core: Pick<RelayCore, 'connect'>;
  readonly clock: CoreClock;
  /** Stable over restarts: its session and questions stay with it. */
  readonly device_id: string;
  /** Name of the asking browser, for people. */
  readonly label: string;
  /** Asks in this session of the device's proxy, beside it, not in a `browser_` session (CHT-332). */
  readonly thread?: Thread;
  /** The session is an agent's own: people write there and stop it (CHT-342). */
  readonly agent?: AgentSession;
}

/** The conversation of an agent that came by itself. */
export interface AgentSession {
  readonly machine_label: string;
  /** A person closes the session: steps are settled before its end is stored. */
  readonly onClose: () => void;
  /** Resolves when the message is stored. */
  readonly onMessage: (text: string) => Promise<void>;
}

export interface Thread {
  readonly session_id: string;
}

/** A message of the relay in the session. The same `message_id` again changes it. */
export interface RecordedMessage {
  readonly message_id: string;
  readonly content: string;
  readonly created_at: string;
  readonly details?: MessageDetails;
  readonly attachments?: FrameOf<'message_event'>['message']['attachments'];
}

/** A browser that asks people through the relay. */
export interface PromptAsker extends Asker {
  readonly session_id: string;
  /** Withdraws a question of an earlier relay, whose answer nobody awaits. */
  readonly withdraw: (prompt_id: string) => void;
  readonly record: (message: RecordedMessage) => void;
  /** Resolves when everything that was recorded before is stored or refused. */
  readonly stored: () => Promise<void>;
  readonly report: (activity: Activity) => void;
  /** False before the session is announced, after a person closed it, and while it is away. */
  readonly isListed: () => boolean;
  /** The agent rests: its session is away until the next record or question. */
  readonly leave: () => void;
  /** Denies open questions. */
  readonly close: () => void;
}

interface OpenQuestion {
  readonly question: Question;
  readonly detected_at: string;
  readonly settle: (answer: Answer) => void;
}

type FrameOf<Type extends ChatFrame['type']> = Extract<ChatFrame, { type: Type }>;

/**
 * To the core, a browser that asks is a proxy with one session, and its questions are that session's prompts
 * (CHT-229). So they are in the ledger, replayed to every screen, answered once and audited.
 */
export function createPromptAsker(options: PromptAskerOptions): PromptAsker {
  const { core, clock, device_id, label, thread, agent } = options;
  const session_id = thread?.session_id ?? SESSION + device_id;
  const idPrefix = thread === undefined ? '' : THREAD_PROMPT;
  const open = new Map<string, OpenQuestion>();
  let closed = false;

  const session = {
    session_id,
    agent_type: 'unknown',
    agent_name: agent === undefined ? 'browser' : label,
    display_name: label,
    ...(agent && { machine_label: agent.machine_label }),
    status: 'healthy',
  };
  const identity: Identity = { device_id, roles: ['proxy'], label, scopes: [] };
  let connection: Connection | undefined;
  /** False before the session is announced, and after a person closed it. */
  let isListed = false;

  /** Connects at the first question: a browser that never asks creates no session. */
  const connect = (): Connection =>
    core.connect({
      identity,
      send(text) {
        hear(chat.parse(text));
        return true;
      },
      drained: () => Promise.resolve(),
      close: () => {
        connection = undefined;
        denyAll('The relay is stopping.');
        for (const receipt of [...receipts.values()]) receipt();
      },
    });
  const say = (frame: Record<string, unknown>): void => {
    if (connection === undefined) {
      connection = connect();
      isListed = false;
      say({ ...HELLO, features: [...HELLO.features, ...(thread === undefined ? [] : [BESIDE])] });
    }
    if (thread === undefined && !isListed && LISTING.has(frame['type'])) {
      isListed = true;
      say({ type: 'proxy_session_snapshot', sessions: [session] });
    }
    connection?.receive(JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, ...frame }));
  };

  const hear = (frame: ChatFrame): void => {
    if (frame.type === 'connection_ack') {
      beatEvery = frame.heartbeat_interval_ms;
      beat();
    }
    if (frame.type === 'permission_response') answered(frame);
    if (frame.type === 'heartbeat_ack') {
      const receipt = receipts.get(frame.request_id ?? '');
      if (receipt !== undefined) receipt();
      else beatAfter = clock.after(beatEvery, beat);
    }
    if (frame.type === 'send_message') void take(frame);
    if (frame.type === 'agent_interrupt') stop(frame);
    if (frame.type === 'close_session' && agent !== undefined) {
      agent.onClose();
      // A question withdrawn later would open the session again.
      denyAll('The session was closed.');
      say({ type: 'session_closed', session_id, request_id: frame.request_id, reason: 'user_requested' });
      isListed = false;
    }
  };

  let beatEvery = 0;
  let beatAfter = () => {};
  const beat = (): void => say({ type: 'heartbeat' });

  const take = async (frame: FrameOf<'send_message'>): Promise<void> => {
    const { client_message_id, attempt } = frame;
    const error = await problemOf(frame);
    say({
      ...{ type: 'proxy_send_result', session_id, client_message_id },
      ...(attempt !== undefined && { attempt }),
      ...(error === undefined ? { result: 'delivered' } : { result: 'failed', error }),
    });
  };

  const problemOf = async ({ content = '', attachments = [] }: FrameOf<'send_message'>) => {
    if (agent === undefined) return NO_MESSAGES;
    const files = attachments.map(fileLine);
    return agent.onMessage([...(content === '' ? [] : [content]), ...files].join('\n')).then(
      () => undefined,
      () => NOT_KEPT,
    );
  };

  /** The relay has stopped the agent's calls before (CHT-344). */
  const stop = ({ request_id }: FrameOf<'agent_interrupt'>): void => {
    if (agent === undefined) return;
    say({ type: 'agent_control_result', request_id, session_id, command: 'agent_interrupt', result: 'ok' });
  };

  const leave = (): void => {
    beatAfter();
    const left = connection;
    connection = undefined;
    left?.closed();
    for (const receipt of [...receipts.values()]) receipt();
  };

  /** CHT-302 */
  const receipts = new Map<string, () => void>();
  let receiptCount = 0;
  const stored = (): Promise<void> => {
    if (connection === undefined) return Promise.resolve();
    receiptCount += 1;
    const request_id = `stored_${receiptCount}`;
    return new Promise((resolve) => {
      receipts.set(request_id, () => {
        receipts.delete(request_id);
        resolve();
      });
      say({ type: 'heartbeat', request_id });
    });
  };

  const answered = (frame: FrameOf<'permission_response'>) => {
    const { request_id, prompt_id, choice_id, answered_by, reason } = frame;
    const asked = open.get(prompt_id);
    const result = asked === undefined ? { result: 'failed', error: OVER } : { result: 'ok' };
    say({ type: 'agent_control_result', request_id, session_id, command: 'permission_response', ...result });
    const decision = decisionOf(choice_id);
    asked?.settle({
      decision,
      call_hash: asked.question.call_hash,
      by: answered_by ?? 'nobody',
      ...(decision === 'deny' && answered_by === undefined && { reason: 'Nobody answered in time.' }),
      // The person's own words, flattened: they become part of a sentence.
      ...(decision === 'deny' &&
        reason && { reason: `a person refused it: ${plainLine(reason, MAX_REASON_CHARS)}` }),
    });
  };

  const denial = ({ call_hash }: Question, reason: string): Answer => ({
    decision: 'deny',
    call_hash,
    by: 'nobody',
    reason,
  });

  const denyAll = (reason: string): void => {
    beatAfter();
    for (const { question, settle } of [...open.values()]) settle(denial(question, reason));
  };

  return {
    session_id,
    ask(question, withdrawn) {
      if (closed) return Promise.resolve(denial(question, 'The relay is stopping.'));
      const detected_at = new Date(clock.now()).toISOString();
      if (question.kind === 'handover') return handOver(question, detected_at);
      if (withdrawn.aborted) return Promise.resolve(denial(question, CALL_OVER));
      // With two questions under one id, one would get the other's answer.
      if (open.has(idPrefix + question.question_id)) return Promise.resolve(denial(question, ASKED_ALREADY));
      return new Promise((resolve) => {
        ask(question, detected_at, withdrawn, resolve);
      });
    },
    record({ details, ...message }) {
      if (closed) return;
      const said = { role: 'system', ...message, ...(details && { metadata: { details } }) };
      say({ type: 'proxy_message', session_id, message: said });
    },
    stored,
    report(activity) {
      if (!closed && isListed) say({ type: 'proxy_status', session_id, status: 'healthy', activity });
    },
    isListed: () => isListed && connection !== undefined,
    leave,
    withdraw: (prompt_id) => say({ type: 'permission_prompt_withdrawn', session_id, prompt_id }),
    close() {
      if (closed) return;
      closed = true;
      denyAll('The browser was given back.');
      connection?.closed();
      for (const receipt of [...receipts.values()]) receipt();
    },
  };

  function ask(
    question: Question,
    detected_at: string,
    withdrawn: AbortSignal,
    resolve: (a: Answer) => void,
  ) {
    const { question_id, expires_at } = question;
    const prompt_id = idPrefix + question_id;
    const left = Math.max(1, expires_at - clock.now());
    const releases: (() => void)[] = [];
    const settle = (answer: Answer): void => {
      if (!open.delete(prompt_id)) return;
      for (const release of releases) release();
      resolve(answer);
    };
    const withdraw = (reason: string) => (): void => {
      say({ type: 'permission_prompt_withdrawn', session_id, prompt_id, detected_at });
      settle(denial(question, reason));
    };
    open.set(prompt_id, { question, detected_at, settle });
    // The relay applies the denial at the deadline; this timer covers a denial that does not arrive.
    releases.push(clock.after(left + GRACE_MS, withdraw('Nobody answered in time.')));
    releases.push(onAbort(withdrawn, withdraw(CALL_OVER)));
    say({
      type: 'permission_prompt',
      session_id,
      prompt_id,
      prompt_text: promptTextOf(question),
      choices: choicesOf(question),
      default_choice: 'deny',
      timeout_ms: left,
      detected_at,
    });
  }

  /** Not awaited: people read it in the session. */
  function handOver({ origin, sentence, call_hash }: Question, created_at: string): Promise<Answer> {
    const content = `The page at ${origin} needs you: ${sentence}`;
    say({ type: 'proxy_message', session_id, message: { role: 'system', content, created_at } });
    return Promise.resolve({ decision: 'once', call_hash, by: 'nobody' });
  }
}

const SESSION = 'browser_';
/** Begins the made-up device of an agent's own session; a real device id never does. */
export const AGENT_DEVICE = 'agent_';
/** Tells prompts about a browser from the agent's own in one session, also after a restart. */
const THREAD_PROMPT = 'browser_';

export const threadPrompt = (question_id: string): string => THREAD_PROMPT + question_id;
export const isThreadPrompt = (prompt_id: string): boolean => prompt_id.startsWith(THREAD_PROMPT);

/** The device whose questions a session holds; undefined for an agent's session. */
export const askingDevice = (session_id: string): string | undefined =>
  session_id.startsWith(SESSION) && !isAgentSession(session_id)
    ? session_id.slice(SESSION.length)
    : undefined;

/** The session of an agent's made-up device. */
export const agentSession = (device_id: string): string => SESSION + device_id;
export const agentSpeaker = (session_id: string): string => session_id.slice(SESSION.length);

/** True for the conversation of an agent that came by itself (CHT-342). */
export const isAgentSession = (session_id: string): boolean => session_id.startsWith(SESSION + AGENT_DEVICE);

const HELLO = {
  type: 'connection_hello',
  peer_role: 'proxy',
  client_name: 'drawbridge-browser',
  features: ['prompt_withdrawn', 'no_launch'],
};
/** Frames that open the session, also after a person closed it. */
const LISTING = new Set<unknown>(['proxy_message', 'permission_prompt', 'permission_prompt_withdrawn']);
const NO_MESSAGES = {
  code: 'control_not_supported',
  message: 'A browser takes no messages: write to the agent.',
};
/** CHT-369: the agent reads or uploads a file by its id. */
const fileLine = ({ attachment_id, name }: Attached): string =>
  `[Sent you the file ${attachment_id}${name === undefined ? '' : ` ${quotedLine(name, MAX_FILE_NAME)}`}: act upload takes its id as value, and read takes it as output.]`;
const MAX_FILE_NAME = 200;
type Attached = NonNullable<FrameOf<'send_message'>['attachments']>[number];
const NOT_KEPT = {
  code: 'send_injection_failed',
  message: 'The message could not be kept for the agent. Send it again.',
};
const GRACE_MS = 2_000;
const CALL_OVER = 'The call was over before anybody answered.';
const ASKED_ALREADY = 'Another question with this id waits for its answer.';
const OVER = { code: 'prompt_not_found', message: 'Nothing waits for this answer any more.' };
