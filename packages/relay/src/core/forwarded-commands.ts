import type { ChatFrame } from '@drawbridge/protocol';
import { isControl } from './controls.ts';
import type { CoreContext } from './core-context.ts';
import { chatError, labelText, trustStored } from './frames.ts';
import type { NodeHeartbeat } from './node-heartbeat.ts';
import type { Peer } from './peer.ts';
import type { BusMessageOf } from './ports.ts';
import { RETRY_AFTER_MS } from './refusals.ts';

interface ForwardedCommand {
  readonly peer: Peer;
  readonly frame: ChatFrame;
  readonly message: BusMessageOf<'command'>;
  /** Waited too long behind earlier commands. */
  late: boolean;
  /** The leader that acknowledged it. */
  takenBy: string | undefined;
  /** Another leader took over; the command is settled soon. */
  isLost: boolean;
}

const NOBODY = 'No relay takes commands right now. Try again in a moment.';
const CHANGED = 'The leader changed before the answer came. Check the agent.';

/** Shorter than the retries of the command before it, so all queued commands are refused together. */
const QUEUE_MS = 4_000;
/** Two heartbeats, because one of a former leader may come late. */
const CHANGE_MS = 2_000;
const MAX_UNANSWERED = 10_000;
/** Per peer: more than a person sends before the first is acknowledged. */
const MAX_WAITING = 256;

/**
 * Forwarded commands of people on a follower: sent to the leader in order, each with an answer or a refusal.
 */
export function createForwardedCommands(context: CoreContext, heartbeat: NodeHeartbeat) {
  const { node_id, requests } = context;
  /** By peer; the first command of each is in flight. */
  const lines = new Map<Peer, ForwardedCommand[]>();
  const unanswered = new Map<string, ForwardedCommand>();
  const asked = new Set<Peer>();
  let leader: string | undefined;

  const keyOf = (request_id: string | undefined, of: Pick<Peer, 'device_id' | 'client_id'>): string =>
    JSON.stringify([of.device_id, of.client_id, request_id]);

  /** In the same form as the leader's own refusal. */
  const refuse = (
    { peer, frame }: ForwardedCommand,
    code: 'send_rejected' | 'delivery_unknown',
    problem: string,
  ): void => {
    if (frame.type === 'launch_session') {
      const { request_id = '', agent_type } = frame;
      const reason = labelText(problem);
      peer.answer({ type: 'session_launch_failed', request_id, agent_type, error_code: code, reason });
    } else if (isControl(frame) && frame.request_id !== undefined) {
      const { request_id, session_id, type: command } = frame;
      const failed = { result: 'failed', error: chatError(code, problem), error_code: code } as const;
      peer.answer({ type: 'agent_control_result', request_id, session_id, command, ...failed });
    } else peer.refuse(frame, 'send_rejected', problem, RETRY_AFTER_MS);
  };

  const next = (peer: Peer): void => {
    const line = lines.get(peer);
    line?.shift();
    const [command] = line ?? [];
    if (command === undefined) lines.delete(peer);
    else go(command);
  };

  const go = (command: ForwardedCommand): void => {
    const { peer, frame, message } = command;
    if (command.late) {
      refuse(command, 'send_rejected', NOBODY);
      next(peer);
      return;
    }
    requests.request(message.command_id, message, 1, (by) => {
      command.takenBy = by;
      if (by === undefined) {
        answered(peer, frame.request_id);
        refuse(command, 'send_rejected', NOBODY);
      }
      next(peer);
    });
  };

  /** The leader that took the command is gone. */
  const settle = async (key: string, command: ForwardedCommand): Promise<void> => {
    command.isLost = false;
    if (unanswered.get(key) !== command || command.takenBy === leader) return;
    unanswered.delete(key);
    const { peer, frame } = command;
    if (frame.type === 'close_session' && context.sessions.get(frame.session_id)?.closed) return;
    if (frame.type !== 'launch_session') {
      refuse(command, 'delivery_unknown', CHANGED);
      return;
    }
    const { request_id = '', agent_type } = frame;
    const pending = await context.ledger.pendingLaunches();
    const isPending = pending.some((launch) => launch.request_id === request_id);
    if (isPending) peer.answer({ type: 'session_launching', request_id, agent_type });
    else refuse(command, 'send_rejected', CHANGED);
  };

  const answered = (
    requester: Pick<Peer, 'device_id' | 'client_id'>,
    request_id: string | undefined,
  ): void => {
    unanswered.delete(keyOf(request_id, requester));
  };

  return {
    forward: (peer: Peer, frame: ChatFrame, text: string): void => {
      const { connection_id, identity, client_id } = peer;
      if (identity === undefined) return;
      const from = { node_id, connection_id, identity, client_id, features: [...peer.features] };
      const message = { kind: 'command', command_id: context.id('command'), ...from, text } as const;
      const command: ForwardedCommand = {
        peer,
        frame,
        message,
        late: false,
        takenBy: undefined,
        isLost: false,
      };
      const line = lines.get(peer);
      if (line !== undefined && line.length >= MAX_WAITING) {
        refuse(command, 'send_rejected', NOBODY);
        return;
      }
      context.after(QUEUE_MS, () => {
        command.late = true;
      });
      asked.add(peer);
      if (frame.request_id !== undefined) unanswered.set(keyOf(frame.request_id, peer), command);
      const [oldest] = unanswered.keys();
      if (unanswered.size > MAX_UNANSWERED && oldest !== undefined) unanswered.delete(oldest);
      if (line === undefined) {
        lines.set(peer, [command]);
        go(command);
      } else line.push(command);
    },
    /** A client message was delivered here; it may be the answer to a command. */
    delivered: (message: BusMessageOf<'client_message'>): void => {
      const { request_id } = trustStored<{ readonly request_id?: string }>(JSON.parse(message.text));
      answered(message, request_id);
    },
    answered,
    /** Called with each leader heartbeat. */
    leaderSeen: (now: string): void => {
      leader = now;
      for (const [key, command] of unanswered) {
        if (command.isLost || command.takenBy === undefined || command.takenBy === now) continue;
        command.isLost = true;
        // A prompt's answer may be stored; then the new leader reports its outcome in time (CHT-222).
        const wait = command.frame.type === 'permission_response' ? context.times.answer_ms : 0;
        context.after(wait + CHANGE_MS, () => context.run(settle(key, command)));
      }
    },
    left: (peer: Peer): void => {
      if (!asked.delete(peer)) return;
      heartbeat.left(peer.connection_id);
      for (const [key, command] of unanswered) if (command.peer === peer) unanswered.delete(key);
    },
    /** Connected peers that have forwarded a command. */
    requesters: (): readonly Peer[] => [...asked],
  };
}
