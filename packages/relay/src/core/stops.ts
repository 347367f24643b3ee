import { RecentMap } from '@drawbridge/base';
import type { Announcements } from './announcements.ts';
import type { Controls, PendingControl, Result } from './controls.ts';
import type { CoreContext } from './core-context.ts';
import type { FrameOf } from './frames.ts';
import type { Peer } from './peer.ts';
import { requesterOf } from './peers.ts';
import type { LiveSession } from './sessions.ts';

type Stop = FrameOf<'agent_interrupt' | 'agent_goal_control'>;

/** CHT-325 to CHT-328, CHT-359: stops of an agent and its goal, with a receipt from agents that give one. */
export type Stops = ReturnType<typeof createStops>;

/** A stop that was forwarded and is not answered yet. */
interface Running {
  /** Everyone else who asked for the same stop. */
  readonly others: PendingControl[];
}

const ANSWER_MS = 15_000;
const REPLAY_MS = 30_000;
const MAX_RECEIPTS = 1_000;

export function createStops(context: CoreContext, controls: Controls, goalSet: Announcements['goalSet']) {
  const listeners = new Set<(session_id: string) => void>();
  const running = new Map<string, Running>();
  const receipts = new RecentMap<string, { readonly at: number; readonly result: Result }>(MAX_RECEIPTS);

  const controlOf = (peer: Peer, frame: Stop): PendingControl => {
    const { request_id = context.id('req'), session_id, type: command } = frame;
    return { request_id, session_id, command, requester: requesterOf(peer) };
  };

  /** One stop of one turn has one receipt; without a turn each request has its own. */
  const keyOf = (frame: Stop): string =>
    JSON.stringify([frame.type, frame.session_id, meantBy(frame) ?? [frame.request_id]]);
  const runningKey = (frame: Stop): string => JSON.stringify([frame.type, frame.session_id, meantBy(frame)]);

  const forward = (peer: Peer, frame: Stop, text: string): void => {
    const control = controlOf(peer, frame);
    const key = runningKey(frame);
    const under = running.get(key);
    if (under !== undefined) {
      under.others.push(control);
      return;
    }
    const routed = controls.route(peer, frame, text);
    if (routed === undefined) return;
    const stop: Running = { others: [] };
    running.set(key, stop);
    const end = (): void => {
      cancel();
      if (running.get(key) === stop) running.delete(key);
    };
    const cancel = context.after(ANSWER_MS, () => {
      end();
      controls.forget(control);
      for (const each of [control, ...stop.others])
        controls.fail(each, 'native_control_timeout', 'The proxy did not answer the stop. Try again.');
    });
    controls.await({
      ...control,
      onResult: (result) => {
        end();
        const receipt = confirmed(result);
        if (receipt.result === 'ok' && frame.type === 'agent_goal_control')
          goalSet(frame.session_id, frame.action === 'pause' ? 'paused' : 'active');
        // A failure is no receipt: the next stop reaches the agent.
        if (receipt.result === 'ok') receipts.set(keyOf(frame), { at: context.now(), result: receipt });
        for (const other of stop.others) controls.reply(other, receipt);
        return Promise.resolve(receipt);
      },
    });
    routed.proxy.send(routed.text, 'answer');
  };

  return {
    stop: (peer: Peer, frame: Stop, text: string): void => {
      const session = context.sessions.get(frame.session_id);
      const isKnown = context.sessions.isSeenBy(peer, session);
      if (isKnown && isStale(session, frame, peer)) {
        controls.fail(controlOf(peer, frame), 'agent_not_active', 'That turn is over. Nothing was stopped.');
        return;
      }
      if (isKnown && !session.closed && frame.type === 'agent_interrupt')
        for (const listener of listeners) listener(frame.session_id);
      if (!isKnown || (frame.type === 'agent_interrupt' && !givesReceipts(session))) {
        controls.forward(peer, frame, text);
        return;
      }
      const earlier = receipts.get(keyOf(frame));
      if (earlier !== undefined && context.now() - earlier.at < REPLAY_MS)
        controls.reply(controlOf(peer, frame), { ...earlier.result, replayed: true });
      else forward(peer, frame, text);
    },
    /** Called before the stop is forwarded. */
    onStopped(listener: (session_id: string) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The turn, or the change of the goal, that the request means. */
const meantBy = (frame: Stop): unknown =>
  frame.type === 'agent_interrupt'
    ? frame.turn_generation
    : frame.goal_transition_seq === undefined
      ? undefined
      : [frame.action, frame.goal_transition_seq];

/** CHT-326: only such an agent is held to confirm its stop; an earlier proxy never sends a receipt. */
function givesReceipts({ config }: LiveSession): boolean {
  const capabilities = config?.['capabilities'];
  return typeof capabilities === 'object' && capabilities !== null && 'interrupt_method' in capabilities;
}

/** CHT-325: a stop that was meant for an earlier turn, run or connection. */
function isStale({ shown }: LiveSession, frame: Stop, peer: Peer): boolean {
  const { session_generation, connection_id = peer.connection_id } = frame;
  const turn_generation = frame.type === 'agent_interrupt' ? frame.turn_generation : undefined;
  const differs = (meant: number | undefined, is: number | undefined): boolean =>
    meant !== undefined && is !== undefined && meant !== is;
  // An earlier browser may send any connection_id, and no generation.
  const isNewer = session_generation !== undefined || turn_generation !== undefined;
  return (
    (isNewer && connection_id !== peer.connection_id) ||
    differs(session_generation, shown?.session_generation) ||
    differs(turn_generation, shown?.turn_generation)
  );
}

function confirmed(result: Result): Result {
  if (result.result !== 'ok' || result.native_acknowledged === true) return result;
  const { error: _, ...rest } = result;
  const message = 'The proxy did not confirm that the agent stopped. Look at the agent.';
  return { ...rest, result: 'failed', error: { code: 'native_receipt_missing', message } };
}
