import type { ChatFrame, ChatFrameType } from '@drawbridge/protocol';
import type { AgentQuestions } from './agent-questions.ts';
import type { Announcements } from './announcements.ts';
import type { Closes } from './closes.ts';
import type { Configs } from './configs.ts';
import type { Controls } from './controls.ts';
import type { Delivery } from './delivery.ts';
import type { Deltas } from './deltas.ts';
import type { FrameOf } from './frames.ts';
import type { History } from './history.ts';
import type { LatestFrames } from './latest-frames.ts';
import { type Launches, refuseLaunch } from './launches.ts';
import type { Offers } from './offers.ts';
import type { PassedFrames } from './passed-frames.ts';
import type { Peer, PeerKind } from './peer.ts';
import type { Prompts } from './prompts.ts';
import type { QueueEdits } from './queue-edits.ts';
import type { Resyncs } from './resyncs.ts';
import type { ScheduledSends } from './scheduled-sends.ts';
import type { Sends } from './sends.ts';
import type { Stops } from './stops.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Transcript } from './transcript.ts';

/** Parts of the core that handle frames. */
export interface CoreParts {
  readonly sends: Sends;
  readonly scheduledSends: ScheduledSends;
  readonly history: History;
  readonly queueEdits: QueueEdits;
  readonly delivery: Delivery;
  readonly announcements: Announcements;
  readonly transcript: Transcript;
  readonly launches: Launches;
  readonly offers: Offers;
  readonly closes: Closes;
  readonly prompts: Prompts;
  readonly questions: AgentQuestions;
  readonly controls: Controls;
  readonly configs: Configs;
  readonly subscriptions: Subscriptions;
  readonly deltas: Deltas;
  readonly latestFrames: LatestFrames;
  readonly stops: Stops;
  readonly passedFrames: PassedFrames;
  readonly resyncs: Resyncs;
}

type Senders = { readonly [Type in ChatFrameType]?: readonly PeerKind[] };

/** Handled by every node, because the ledger alone decides the result. */
const ANY_NODE = {
  heartbeat: ['browser', 'proxy', 'stranger'],
  send_message: ['browser'],
  cancel_message: ['browser'],
  edit_message: ['browser'],
  history_request: ['browser'],
  history_chunk_request: ['browser'],
  subscribe: ['browser'],
} as const satisfies Senders;

/** Commands of people that the leader handles, because the proxies connect to it; a follower forwards them. */
const FORWARDED = {
  launch_session: ['browser'],
  close_session: ['browser'],
  permission_response: ['browser'],
  agent_interrupt: ['browser'],
  agent_goal_control: ['browser'],
  agent_set_model: ['browser'],
  agent_set_mode: ['browser'],
  agent_config_request: ['browser'],
  agent_answer: ['browser'],
} as const satisfies Senders;

const OF_PROXIES = {
  proxy_session_snapshot: ['proxy'],
  proxy_offer: ['proxy'],
  proxy_status: ['proxy'],
  proxy_message: ['proxy'],
  history_snapshot: ['proxy'],
  agent_started: ['proxy'],
  message_queued: ['proxy'],
  native_queue: ['proxy'],
  message_delta: ['proxy'],
  chat_list: ['proxy'],
  rate_limit_active: ['proxy'],
  rate_limit_cleared: ['proxy'],
  proxy_send_result: ['proxy'],
  session_launch_ack: ['proxy'],
  session_launch_failed: ['proxy'],
  session_closed: ['proxy'],
  permission_prompt: ['proxy'],
  permission_prompt_withdrawn: ['proxy'],
  permission_prompt_expired: ['proxy'],
  agent_question: ['proxy'],
  agent_config: ['proxy'],
  agent_control_result: ['proxy'],
} as const satisfies Senders;

type Command = keyof typeof ANY_NODE | keyof typeof FORWARDED | keyof typeof OF_PROXIES;

/** Kinds of peers that may send a frame type. A type without them is sent only by the relay (CHT-91). */
export const SENDERS: Senders = { ...ANY_NODE, ...FORWARDED, ...OF_PROXIES };

export const isForwarded = ({ type }: ChatFrame): boolean => type in FORWARDED;

interface Handler<Frame extends ChatFrame = ChatFrame> {
  /** Returns a promise when the peer's next frames must wait. */
  handle(peer: Peer, frame: Frame, text: string): unknown;
}

type Handlers<Type extends ChatFrameType> = { readonly [T in Type]: Handler<FrameOf<T>>['handle'] };

export type Perform = (peer: Peer, frame: ChatFrame, text: string) => Promise<void> | undefined;

/** An agent that rests has finished what it was writing. */
const RESTS: ReadonlySet<string | undefined> = new Set(['idle', 'waiting_for_user']);

/** `forward` on a follower: sends the command to the leader. */
export function createPerform(
  parts: CoreParts,
  forward?: (peer: Peer, frame: ChatFrame, text: string) => void,
): Perform {
  const { announcements, closes, controls, delivery, history, latestFrames, launches } = parts;
  const { passedFrames, prompts, queueEdits, resyncs, stops, transcript } = parts;
  const commands: Handlers<Command> = {
    heartbeat: answerHeartbeat,
    send_message: parts.sends.send,
    cancel_message: queueEdits.cancel,
    edit_message: queueEdits.edit,
    history_request: history.request,
    history_chunk_request: history.chunk,
    subscribe: parts.subscriptions.subscribe,

    launch_session: launches.launch,
    close_session: closes.close,
    permission_response: prompts.respond,
    agent_interrupt: stops.stop,
    agent_goal_control: stops.stop,
    agent_set_model: controls.forward,
    agent_set_mode: controls.forward,
    agent_config_request: controls.forward,
    agent_answer: controls.forward,

    proxy_session_snapshot: announcements.list,
    proxy_offer: parts.offers.put,
    proxy_status: (peer, frame) => {
      if (RESTS.has(frame.activity?.kind)) transcript.flush(frame.session_id);
      announcements.status(peer, frame);
    },
    proxy_message: (peer, frame, text) => {
      resyncs.observe(peer, frame);
      return transcript.observe(peer, frame, text);
    },
    history_snapshot: resyncs.snapshot,
    agent_started: passedFrames.pass,
    message_queued: passedFrames.pass,
    native_queue: passedFrames.pass,
    message_delta: parts.deltas.observe,
    chat_list: latestFrames.observe,
    rate_limit_active: latestFrames.observe,
    rate_limit_cleared: latestFrames.observe,
    proxy_send_result: (peer, frame, text) => {
      if (frame.result === 'launch_accepted') passedFrames.pass(peer, frame, text);
      delivery.report(peer, frame);
    },
    session_launch_ack: launches.acked,
    session_launch_failed: launches.failed,
    session_closed: (peer, frame) => {
      transcript.flush(frame.session_id);
      closes.closed(peer, frame);
    },
    permission_prompt: (peer, frame, text) => {
      transcript.flush(frame.session_id);
      return prompts.ask(peer, frame, text);
    },
    permission_prompt_withdrawn: prompts.onWithdrawn,
    permission_prompt_expired: (peer, { session_id, prompt_id }) =>
      prompts.onWithdrawn(peer, { session_id, prompt_id }),
    agent_question: parts.questions.ask,
    agent_config: parts.configs.update,
    agent_control_result: controls.result,
  };
  const handlers: Partial<Handlers<ChatFrameType>> = commands;

  return (peer, frame, text) => {
    const { type } = frame;
    const handle: Handler['handle'] | undefined = handlers[type];
    if (handle === undefined || !SENDERS[type]?.includes(peer.kind)) refuse(peer, frame);
    else if (forward !== undefined && !(type in ANY_NODE)) forward(peer, frame, text);
    else {
      const work = handle(peer, frame, text);
      if (work instanceof Promise) return work;
    }
    return undefined;
  };
}

/** CHT-91 */
function refuse(peer: Peer, frame: ChatFrame): void {
  if (frame.type === 'launch_session' && peer.kind === 'stranger') refuseLaunch(peer, frame);
  else peer.refuse(frame, 'unauthorized', `A ${peer.kind} may not send ${frame.type}.`);
}

function answerHeartbeat(peer: Peer, { request_id }: FrameOf<'heartbeat'>): void {
  const { connection_id, storing } = peer;
  const answer = (): void =>
    peer.answer({ type: 'heartbeat_ack', connection_id, ...(request_id && { request_id }) });
  // CHT-302: a receipt for everything before it. Without an id it only shows that the peer is alive.
  if (request_id === undefined || storing.size === 0) answer();
  else void Promise.allSettled(storing).then(answer);
}
