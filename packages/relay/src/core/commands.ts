import type { ChatFrame, ChatFrameType } from '@drawbridge/protocol';
import type { AgentQuestions } from './agent-questions.ts';
import type { Announcements } from './announcements.ts';
import type { Closes } from './closes.ts';
import type { Configs } from './configs.ts';
import type { ControlFrame, Controls } from './controls.ts';
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

export interface Handlers {
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

/** A frame type that peers may send. A type without one is sent only by the relay (CHT-91). */
interface Command<Frame extends ChatFrame = ChatFrame> {
  readonly from: readonly PeerKind[];
  /** Returns a promise when the peer's next frames must wait. */
  handle(handlers: Handlers, peer: Peer, frame: Frame, text: string): unknown;
  /** Answers a peer that may not send this type; by default with `connection_error` `unauthorized`. */
  refuse?(peer: Peer, frame: Frame): void;
}

type Commands = { readonly [Type in ChatFrameType]?: Command<FrameOf<Type>> };

export type Perform = (peer: Peer, frame: ChatFrame, text: string) => Promise<void> | undefined;

const BROWSER = ['browser'] as const;
const PROXY = ['proxy'] as const;
const ANYONE = ['browser', 'proxy', 'stranger'] as const;

const keep = (
  { latestFrames }: Handlers,
  peer: Peer,
  frame: Parameters<LatestFrames['observe']>[1],
  text: string,
): void => latestFrames.observe(peer, frame, text);

const pass = (
  { passedFrames }: Handlers,
  peer: Peer,
  frame: Parameters<PassedFrames['pass']>[1],
  text: string,
): void => passedFrames.pass(peer, frame, text);

const control = ({ controls }: Handlers, peer: Peer, frame: ControlFrame, text: string): void =>
  controls.forward(peer, frame, text);

/** An agent that rests has finished what it was writing. */
const RESTS: ReadonlySet<string | undefined> = new Set(['idle', 'waiting_for_user']);

/** CHT-91 */
function refuse(peer: Peer, frame: ChatFrame): void {
  peer.refuse(frame, 'unauthorized', `A ${peer.kind} may not send ${frame.type}.`);
}

/** Handled by every node, because the ledger alone decides the result. */
const ANY_NODE: Commands = {
  heartbeat: {
    from: ANYONE,
    handle: (_, peer, { request_id }) => {
      const { connection_id, storing } = peer;
      const answer = (): void =>
        peer.answer({ type: 'heartbeat_ack', connection_id, ...(request_id && { request_id }) });
      // CHT-302: a receipt for everything before it. Without an id it only shows that the peer is alive.
      if (request_id === undefined || storing.size === 0) answer();
      else void Promise.allSettled(storing).then(answer);
    },
  },

  send_message: { from: BROWSER, handle: ({ sends }, peer, frame, text) => sends.send(peer, frame, text) },
  cancel_message: {
    from: BROWSER,
    handle: ({ queueEdits }, peer, frame) => queueEdits.cancel(peer, frame),
  },
  edit_message: {
    from: BROWSER,
    handle: ({ queueEdits }, peer, frame) => queueEdits.edit(peer, frame),
  },
  history_request: { from: BROWSER, handle: ({ history }, peer, frame) => history.request(peer, frame) },
  history_chunk_request: {
    from: BROWSER,
    handle: ({ history }, peer, frame) => history.chunk(peer, frame),
  },
  subscribe: {
    from: BROWSER,
    handle: ({ subscriptions }, peer, frame) => subscriptions.subscribe(peer, frame),
  },
};

/** Handled by the leader, because the proxies connect to it; a follower forwards those of people. */
const LEADER_ONLY: Commands = {
  launch_session: {
    from: BROWSER,
    handle: ({ launches }, peer, frame, text) => launches.launch(peer, frame, text),
    refuse: (peer, frame) => {
      if (peer.kind === 'stranger') refuseLaunch(peer, frame);
      else refuse(peer, frame);
    },
  },
  close_session: {
    from: BROWSER,
    handle: ({ closes }, peer, frame, text) => closes.close(peer, frame, text),
  },
  permission_response: {
    from: BROWSER,
    handle: ({ prompts }, peer, frame, text) => prompts.respond(peer, frame, text),
  },
  agent_interrupt: {
    from: BROWSER,
    handle: ({ stops }, peer, frame, text) => stops.stop(peer, frame, text),
  },
  agent_goal_control: {
    from: BROWSER,
    handle: ({ stops }, peer, frame, text) => stops.stop(peer, frame, text),
  },
  agent_set_model: { from: BROWSER, handle: control },
  agent_set_mode: { from: BROWSER, handle: control },
  agent_config_request: { from: BROWSER, handle: control },
  agent_answer: { from: BROWSER, handle: control },

  proxy_session_snapshot: {
    from: PROXY,
    handle: ({ announcements }, peer, frame) => announcements.list(peer, frame),
  },
  proxy_offer: { from: PROXY, handle: ({ offers }, peer, frame) => offers.put(peer, frame) },
  proxy_status: {
    from: PROXY,
    handle: ({ announcements, transcript }, peer, frame) => {
      if (RESTS.has(frame.activity?.kind)) transcript.flush(frame.session_id);
      announcements.status(peer, frame);
    },
  },
  proxy_message: {
    from: PROXY,
    handle: ({ transcript, resyncs }, peer, frame, text) => {
      resyncs.observe(peer, frame);
      return transcript.observe(peer, frame, text);
    },
  },
  history_snapshot: { from: PROXY, handle: ({ resyncs }, peer, frame) => resyncs.snapshot(peer, frame) },
  agent_started: { from: PROXY, handle: pass },
  message_queued: { from: PROXY, handle: pass },
  native_queue: { from: PROXY, handle: pass },
  message_delta: { from: PROXY, handle: ({ deltas }, peer, frame) => deltas.observe(peer, frame) },
  chat_list: { from: PROXY, handle: keep },
  rate_limit_active: { from: PROXY, handle: keep },
  rate_limit_cleared: { from: PROXY, handle: keep },
  proxy_send_result: {
    from: PROXY,
    handle: ({ delivery, passedFrames }, peer, frame, text) => {
      if (frame.result === 'launch_accepted') passedFrames.pass(peer, frame, text);
      delivery.report(peer, frame);
    },
  },
  session_launch_ack: { from: PROXY, handle: ({ launches }, peer, frame) => launches.acked(peer, frame) },
  session_launch_failed: {
    from: PROXY,
    handle: ({ launches }, peer, frame) => launches.failed(peer, frame),
  },
  session_closed: {
    from: PROXY,
    handle: ({ closes, transcript }, peer, frame) => {
      transcript.flush(frame.session_id);
      closes.closed(peer, frame);
    },
  },
  permission_prompt: {
    from: PROXY,
    handle: ({ prompts, transcript }, peer, frame, text) => {
      transcript.flush(frame.session_id);
      return prompts.ask(peer, frame, text);
    },
  },
  permission_prompt_withdrawn: {
    from: PROXY,
    handle: ({ prompts }, peer, frame) => prompts.onWithdrawn(peer, frame),
  },
  permission_prompt_expired: {
    from: PROXY,
    handle: ({ prompts }, peer, { session_id, prompt_id }) =>
      prompts.onWithdrawn(peer, { session_id, prompt_id }),
  },
  agent_question: {
    from: PROXY,
    handle: ({ questions }, peer, frame, text) => questions.ask(peer, frame, text),
  },
  agent_config: {
    from: PROXY,
    handle: ({ configs }, peer, frame, text) => configs.update(peer, frame, text),
  },
  agent_control_result: {
    from: PROXY,
    handle: ({ controls }, peer, frame) => controls.result(peer, frame),
  },
};

/** Sender kinds and handler of each frame type. */
export const COMMANDS: Commands = { ...ANY_NODE, ...LEADER_ONLY };

/** `forward` on a follower: sends the command to the leader. */
export function createPerform(
  handlers: Handlers,
  forward?: (peer: Peer, frame: ChatFrame, text: string) => void,
): Perform {
  return (peer, frame, text) => {
    const command: Command | undefined = COMMANDS[frame.type];
    if (!command?.from.includes(peer.kind)) (command?.refuse ?? refuse)(peer, frame);
    else if (forward !== undefined && frame.type in LEADER_ONLY) forward(peer, frame, text);
    else {
      const work = command.handle(handlers, peer, frame, text);
      if (work instanceof Promise) return work;
    }
    return undefined;
  };
}

/** A follower forwards commands of people and nothing else. */
export const isForwarded = ({ type }: ChatFrame): boolean =>
  LEADER_ONLY[type]?.from.includes('browser') ?? false;
