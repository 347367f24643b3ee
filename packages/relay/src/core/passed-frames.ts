import { RecentMap } from '@drawbridge/base';
import type { ChatFeature } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { ENTRY_TOO_LARGE, MAX_ENTRY_CHARS } from './frame-budget.ts';
import { type FrameOf, frameText, timeText } from './frames.ts';
import type { Peer } from './peer.ts';
import type { EventListener } from './ports.ts';
import type { DeliveredSend } from './send-queue.ts';

type Passed = FrameOf<'agent_started' | 'message_queued' | 'native_queue' | 'proxy_send_result'>;

/** CHT-356: frames of a proxy about deliveries that go to newer browsers at once and are not stored. */
export interface PassedFrames {
  readonly pass: (peer: Peer, frame: Passed, text: string) => void;
  /** Reports the start of work for proxies that do not. */
  readonly onStatus: EventListener;
}

export const DELIVERIES: ChatFeature = 'deliveries';
const MAX_REMEMBERED = 1_000;
const START_WITHIN_MS = 120_000;
const AT_REST: ReadonlySet<unknown> = new Set(['idle', 'waiting_for_user']);

export function createPassedFrames(
  context: CoreContext,
  show: (session_id: string, text: string, feature: string) => void,
  /** The latest delivered send of a session whose start is not known; forgets it. */
  takeDelivered: (session_id: string) => DeliveredSend | undefined,
): PassedFrames {
  const passed = new RecentMap<string, true>(MAX_REMEMBERED);

  /** False for a repeat. */
  const isFirst = (type: string, session_id: string, client_message_id: string): boolean => {
    const key = JSON.stringify([type, session_id, client_message_id]);
    if (passed.get(key)) return false;
    passed.set(key, true);
    return true;
  };

  return {
    pass: (peer, frame, text) => {
      if (context.sessions.ofFrame(peer, frame) === undefined) return;
      const { type, session_id } = frame;
      if (text.length > MAX_ENTRY_CHARS) {
        peer.refuse(frame, 'invalid_message', ENTRY_TOO_LARGE);
        return;
      }
      if (type === 'agent_started') takeDelivered(session_id);
      const isRepeatable = type === 'native_queue';
      if (!isRepeatable && !isFirst(type, session_id, frame.client_message_id)) return;
      show(session_id, JSON.stringify({ ...frame, server_ts: timeText(context.now()) }), DELIVERIES);
    },
    onStatus: ({ session_id, payload, at }) => {
      const { activity } = payload;
      if (typeof activity !== 'object' || activity === null) return;
      const kind = 'kind' in activity ? activity['kind'] : undefined;
      const sent = typeof kind !== 'string' || AT_REST.has(kind) ? undefined : takeDelivered(session_id);
      if (sent === undefined || typeof kind !== 'string') return;
      const { client_message_id } = sent;
      if (at - sent.at > START_WITHIN_MS || !isFirst('agent_started', session_id, client_message_id)) return;
      const times = { delivered_at: timeText(sent.at), started_at: timeText(at) };
      const started = {
        type: 'agent_started',
        session_id,
        client_message_id,
        ...times,
        activity: { kind },
      } as const;
      show(session_id, frameText(started, context.now()), DELIVERIES);
    },
  };
}
