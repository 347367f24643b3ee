import type { ChatFrame } from '@drawbridge/protocol';
import type { Beat } from './beat.ts';
import { isControl } from './controls.ts';
import type { Foundation } from './foundation.ts';
import { chatError, labelText, parseStored } from './frames.ts';
import type { Peer } from './peer.ts';
import type { NoteOf } from './ports.ts';
import { RETRY_AFTER_MS } from './refusals.ts';

/** What people on a branch ask of the house: carried there, one after the other, and never left without a word. */
export interface Errands {
  readonly carry: (peer: Peer, frame: ChatFrame, text: string) => void;
  /** Somebody here was told something: it may be what they waited for. */
  readonly told: (note: NoteOf<'told'>) => void;
  readonly answered: (asker: Pick<Peer, 'device_id' | 'client_id'>, request_id: string | undefined) => void;
  /** The keeper lives. */
  readonly keeper: (node_id: string) => void;
  readonly left: (peer: Peer) => void;
  /** Who has asked something, and is here. */
  readonly askers: () => readonly Peer[];
}

interface Errand {
  readonly peer: Peer;
  readonly frame: ChatFrame;
  readonly note: NoteOf<'asked'>;
  /** It has waited its time for those before it. */
  late: boolean;
  /** Who has taken it. */
  keeper: string | undefined;
  /** Another keeps the house since: soon it is settled. */
  isLost: boolean;
}

const NOBODY = 'No relay takes commands at the moment. Try again in a while.';
const CHANGED = 'Another relay took over before the answer came. Look at the agent.';

/** Less than the courier tries for the one before it: who said several things hears of all of them at once. */
const PATIENCE_MS = 4_000;
/** Two beats: one of a keeper that is gone may come late. */
const CHANGE_MS = 2_000;
const MAX_UNANSWERED = 10_000;
/** Of one peer: more than a person says before the first is heard. */
const MAX_WAITING = 256;

export function createErrands(
  { base, node_id, courier }: Pick<Foundation, 'base' | 'node_id' | 'courier'>,
  beat: Beat,
): Errands {
  /** By peer: the first is on its way. */
  const lines = new Map<Peer, Errand[]>();
  const unanswered = new Map<string, Errand>();
  const asked = new Set<Peer>();
  let keeper: string | undefined;

  const keyOf = (request_id: string | undefined, of: Pick<Peer, 'device_id' | 'client_id'>): string =>
    JSON.stringify([of.device_id, of.client_id, request_id]);

  /** In the form in which the house itself would say it. */
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

  /** Taken by a keeper that is gone. */
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
        // An answer to a prompt may be stored: then the new keeper tells what became of it within its time (CHT-222).
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
