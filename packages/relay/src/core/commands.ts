import type { ChatFrame, ChatFrameType } from '@drawbridge/protocol';
import type { AgentQuestions } from './agent-questions.ts';
import type { Announcements } from './announcements.ts';
import type { Closes } from './closes.ts';
import type { Configs } from './configs.ts';
import type { ControlFrame, Controls } from './controls.ts';
import type { Delivery } from './delivery.ts';
import type { FrameOf } from './frames.ts';
import type { History } from './history.ts';
import { type Launches, refuseLaunch } from './launches.ts';
import type { Peer, PeerKind } from './peer.ts';
import type { Prompts } from './prompts.ts';
import type { QueueEdits } from './queue-edits.ts';
import type { Sends } from './sends.ts';
import type { Transcript } from './transcript.ts';

/** Handlers that every node runs itself, because the ledger alone decides the result. */
export interface FollowerHandlers {
  readonly sends: Sends;
  readonly history: History;
  readonly queueEdits: QueueEdits;
}

/** Handlers that only the leader runs, because the proxies connect to it. */
export interface LeaderHandlers extends FollowerHandlers {
  readonly delivery: Delivery;
  readonly announcements: Announcements;
  readonly transcript: Transcript;
  readonly launches: Launches;
  readonly closes: Closes;
  readonly prompts: Prompts;
  readonly questions: AgentQuestions;
  readonly controls: Controls;
  readonly configs: Configs;
}

/** A frame type that peers may send. A type without one is sent only by the relay (CHT-91). */
interface Command<At, Frame extends ChatFrame = ChatFrame> {
  readonly from: readonly PeerKind[];
  /** Returns a promise when the peer's next frames must wait. */
  handle(handlers: At, peer: Peer, frame: Frame, text: string): Promise<void> | undefined;
  /** Answers a peer that may not send this type; by default with `connection_error` `unauthorized`. */
  refuse?(peer: Peer, frame: Frame): void;
}

type Commands<At> = { readonly [Type in ChatFrameType]?: Command<At, FrameOf<Type>> };

export type Perform = (peer: Peer, frame: ChatFrame, text: string) => Promise<void> | undefined;

const BROWSER = ['browser'] as const;
const PROXY = ['proxy'] as const;
const ANYONE = ['browser', 'proxy', 'stranger'] as const;

/** Handles the frame without holding up the next one. */
const withoutWaiting =
  <At, Frame extends ChatFrame>(act: (handlers: At, peer: Peer, frame: Frame, text: string) => void) =>
  (handlers: At, peer: Peer, frame: Frame, text: string): undefined => {
    act(handlers, peer, frame, text);
  };

const control = ({ controls }: LeaderHandlers, peer: Peer, frame: ControlFrame, text: string): void =>
  controls.forward(peer, frame, text);

/** An agent that rests has finished what it was writing. */
const RESTS: ReadonlySet<string | undefined> = new Set(['idle', 'waiting_for_user']);

/** CHT-91 */
function refuse(peer: Peer, frame: ChatFrame): void {
  peer.refuse(frame, 'unauthorized', `A ${peer.kind} may not send ${frame.type}.`);
}

/** Sender kinds and handler of each frame type. */
const ANY_NODE: Commands<FollowerHandlers> = {
  heartbeat: {
    from: ANYONE,
    handle: withoutWaiting((_, peer, { request_id }) => {
      const { connection_id, storing } = peer;
      const answer = (): void =>
        peer.answer({ type: 'heartbeat_ack', connection_id, ...(request_id && { request_id }) });
      // CHT-302: a receipt for everything before it. Without an id it only shows that the peer is alive.
      if (request_id === undefined || storing.size === 0) answer();
      else void Promise.allSettled(storing).then(answer);
    }),
  },

  send_message: { from: BROWSER, handle: ({ sends }, peer, frame, text) => sends.send(peer, frame, text) },
  cancel_message: {
    from: BROWSER,
    handle: withoutWaiting(({ queueEdits }, peer, frame) => queueEdits.cancel(peer, frame)),
  },
  edit_message: {
    from: BROWSER,
    handle: withoutWaiting(({ queueEdits }, peer, frame) => queueEdits.edit(peer, frame)),
  },
  history_request: { from: BROWSER, handle: ({ history }, peer, frame) => history.request(peer, frame) },
};

const LEADER_ONLY: Commands<LeaderHandlers> = {
  launch_session: {
    from: BROWSER,
    handle: withoutWaiting(({ launches }, peer, frame, text) => launches.launch(peer, frame, text)),
    refuse: (peer, frame) => {
      if (peer.kind === 'stranger') refuseLaunch(peer, frame);
      else refuse(peer, frame);
    },
  },
  close_session: {
    from: BROWSER,
    handle: withoutWaiting(({ closes }, peer, frame, text) => closes.close(peer, frame, text)),
  },
  permission_response: {
    from: BROWSER,
    handle: withoutWaiting(({ prompts }, peer, frame, text) => prompts.respond(peer, frame, text)),
  },
  agent_interrupt: { from: BROWSER, handle: withoutWaiting(control) },
  agent_set_model: { from: BROWSER, handle: withoutWaiting(control) },
  agent_set_mode: { from: BROWSER, handle: withoutWaiting(control) },
  agent_config_request: { from: BROWSER, handle: withoutWaiting(control) },
  agent_answer: { from: BROWSER, handle: withoutWaiting(control) },

  proxy_session_snapshot: {
    from: PROXY,
    handle: ({ announcements }, peer, frame) => announcements.list(peer, frame),
  },
  proxy_status: {
    from: PROXY,
    handle: withoutWaiting(({ announcements, transcript }, peer, frame) => {
      if (RESTS.has(frame.activity?.kind)) transcript.flush(frame.session_id);
      announcements.status(peer, frame);
    }),
  },
  proxy_message: {
    from: PROXY,
    handle: ({ transcript }, peer, frame, text) => transcript.observe(peer, frame, text),
  },
  proxy_send_result: {
    from: PROXY,
    handle: withoutWaiting(({ delivery }, peer, frame) => delivery.report(peer, frame)),
  },
  session_launch_ack: { from: PROXY, handle: ({ launches }, peer, frame) => launches.acked(peer, frame) },
  session_launch_failed: {
    from: PROXY,
    handle: withoutWaiting(({ launches }, peer, frame) => launches.failed(peer, frame)),
  },
  session_closed: {
    from: PROXY,
    handle: withoutWaiting(({ closes, transcript }, peer, frame) => {
      transcript.flush(frame.session_id);
      closes.closed(peer, frame);
    }),
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
    handle: withoutWaiting(({ prompts }, peer, frame) => prompts.onWithdrawn(peer, frame)),
  },
  agent_question: {
    from: PROXY,
    handle: withoutWaiting(({ questions }, peer, frame, text) => questions.ask(peer, frame, text)),
  },
  agent_config: {
    from: PROXY,
    handle: withoutWaiting(({ configs }, peer, frame, text) => configs.update(peer, frame, text)),
  },
  agent_control_result: {
    from: PROXY,
    handle: withoutWaiting(({ controls }, peer, frame) => controls.result(peer, frame)),
  },
};

export const COMMANDS: Commands<LeaderHandlers> = { ...ANY_NODE, ...LEADER_ONLY };

function mayPerform<At>(
  command: Command<At> | undefined,
  peer: Peer,
  frame: ChatFrame,
): command is Command<At> {
  if (command?.from.includes(peer.kind)) return true;
  if (command?.refuse !== undefined) command.refuse(peer, frame);
  else refuse(peer, frame);
  return false;
}

export function createPerform(handlers: LeaderHandlers): Perform {
  return (peer, frame, text) => {
    const command: Command<LeaderHandlers> | undefined = COMMANDS[frame.type];
    return mayPerform(command, peer, frame) ? command.handle(handlers, peer, frame, text) : undefined;
  };
}

/** On a follower: forwards the leader's commands. */
export function createFollowerPerform(
  handlers: FollowerHandlers,
  forward: (...asked: Parameters<Perform>) => void,
): Perform {
  return (peer, frame, text) => {
    const command: Command<FollowerHandlers> | undefined = ANY_NODE[frame.type];
    if (command !== undefined)
      return mayPerform(command, peer, frame) ? command.handle(handlers, peer, frame, text) : undefined;
    const leaderOnly: Command<LeaderHandlers> | undefined = LEADER_ONLY[frame.type];
    if (mayPerform(leaderOnly, peer, frame)) forward(peer, frame, text);
    return undefined;
  };
}

/** A follower forwards commands of people and nothing else. */
export const isForwarded = ({ type }: ChatFrame): boolean =>
  LEADER_ONLY[type]?.from.includes('browser') ?? false;
