import type { ChatFrame } from '@drawbridge/protocol';
import type { Beat } from './beat.ts';
import { isControl } from './controls.ts';
import type { Foundation } from './foundation.ts';
import { chatError, labelText, parseStored } from './frames.ts';
import type { Peer } from './peer.ts';
import type { NoteOf } from './ports.ts';
import { RETRY_AFTER_MS } from './refusals.ts';

/**
 * Forwarded commands of people on a follower: sent to the leader in order, each with an answer or a refusal.
 */
export interface Errands {
  readonly carry: (peer: Peer, frame: ChatFrame, text: string) => void;
  /** A client message was delivered here; it may be the answer to a command. */
  readonly told: (note: NoteOf<'told'>) => void;
  readonly answered: (asker: Pick<Peer, 'device_id' | 'client_id'>, request_id: string | undefined) => void;
  /** Called with each leader heartbeat. */
  readonly keeper: (node_id: string) => void;
  readonly left: (peer: Peer) => void;
  /** Connected peers that have forwarded a command. */
  readonly askers: () => readonly Peer[];
}

interface Errand {
  readonly peer: Peer;
  readonly frame: ChatFrame;
  readonly note: NoteOf<'asked'>;
  /** Waited too long behind earlier commands. */
  late: boolean;
  /** The leader that acknowledged it. */
  keeper: string | undefined;
  /** Another leader took over; the command is settled soon. */
  isLost: boolean;
}

const NOBODY = 'No relay takes commands right now. Try again in a moment.';
const CHANGED = 'Another relay took over before the answer came. Look at the agent.';

/** Shorter than the retries of the command before it, so all queued commands are refused together. */
const PATIENCE_MS = 4_000;
/** Two heartbeats, because one of a former leader may come late. */
const CHANGE_MS = 2_000;
const MAX_UNANSWERED = 10_000;
/** Per peer: more than a person sends before the first is acknowledged. */
const MAX_WAITING = 256;

export function createErrands(
  { base, node_id, courier }: Pick<Foundation, 'base' | 'node_id' | 'courier'>,
  beat: Beat,
): Errands {
  /** By peer; the first command of each is in flight. */
  const lines = new Map<Peer, Errand[]>();
  const unanswered = new Map<string, Errand>();
  const asked = new Set<Peer>();
  let keeper: string | undefined;

  const keyOf = (request_id: string | undefined, of: Pick<Peer, 'device_id' | 'client_id'>): string =>
    JSON.stringify([of.device_id, of.client_id, request_id]);

  /** In the same form as the leader's own refusal. */
  const refuse = (
    { peer, frame }: Errand,
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
    const [errand] = line ?? [];
    if (errand === undefined) lines.delete(peer);
    else go(errand);
  };

  const go = (errand: Errand): void => {
    const { peer, frame, note } = errand;
    if (errand.late) {
      refuse(errand, 'send_rejected', NOBODY);
      next(peer);
      return;
    }
    courier.deliver(note.ask_id, note, 1, (by) => {
      errand.keeper = by;
      if (by === undefined) {
        answered(peer, frame.request_id);
        refuse(errand, 'send_rejected', NOBODY);
      }
      next(peer);
    });
  };

  /** The leader that took the command is gone. */
  const settle = async (key: string, errand: Errand): Promise<void> => {
    errand.isLost = false;
    if (unanswered.get(key) !== errand || errand.keeper === keeper) return;
    unanswered.delete(key);
    const { peer, frame } = errand;
    if (frame.type === 'close_session' && base.sessions.get(frame.session_id)?.closed) return;
    if (frame.type !== 'launch_session') {
      refuse(errand, 'delivery_unknown', CHANGED);
      return;
    }
    const { request_id = '', agent_type } = frame;
    const pending = await base.ledger.pendingLaunches();
    const isPending = pending.some((launch) => launch.request_id === request_id);
    if (isPending) peer.answer({ type: 'session_launching', request_id, agent_type });
    else refuse(errand, 'send_rejected', CHANGED);
  };

  const answered: Errands['answered'] = (asker, request_id) => {
    unanswered.delete(keyOf(request_id, asker));
  };

  return {
    carry: (peer, frame, text) => {
      const { connection_id, identity, client_id } = peer;
      if (identity === undefined) return;
      const from = { node_id, connection_id, identity, client_id, features: [...peer.features] };
      const note = { kind: 'asked', ask_id: base.id('ask'), ...from, text } as const;
      const errand: Errand = { peer, frame, note, late: false, keeper: undefined, isLost: false };
      const line = lines.get(peer);
      if (line !== undefined && line.length >= MAX_WAITING) {
        refuse(errand, 'send_rejected', NOBODY);
        return;
      }
      base.after(PATIENCE_MS, () => {
        errand.late = true;
      });
      asked.add(peer);
      if (frame.request_id !== undefined) unanswered.set(keyOf(frame.request_id, peer), errand);
      const [oldest] = unanswered.keys();
      if (unanswered.size > MAX_UNANSWERED && oldest !== undefined) unanswered.delete(oldest);
      if (line === undefined) {
        lines.set(peer, [errand]);
        go(errand);
      } else line.push(errand);
    },
    told: (note) => {
      const { request_id } = parseStored<{ readonly request_id?: string }>(JSON.parse(note.text));
      answered(note, request_id);
    },
    answered,
    keeper: (now) => {
      keeper = now;
      for (const [key, errand] of unanswered) {
        if (errand.isLost || errand.keeper === undefined || errand.keeper === now) continue;
        errand.isLost = true;
        // A prompt's answer may be stored; then the new leader reports its outcome in time (CHT-222).
        const wait = errand.frame.type === 'permission_response' ? base.times.answer_ms : 0;
        base.after(wait + CHANGE_MS, () => base.run(settle(key, errand)));
      }
    },
    left: (peer) => {
      if (!asked.delete(peer)) return;
      beat.left(peer.connection_id);
      for (const [key, errand] of unanswered) if (errand.peer === peer) unanswered.delete(key);
    },
    askers: () => [...asked],
  };
}
