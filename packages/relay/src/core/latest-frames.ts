import { RecentMap } from '@drawbridge/base';
import type { ChatFeature } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { ENTRY_TOO_LARGE, MAX_ENTRY_CHARS } from './frame-budget.ts';
import { type FrameOf, frameText, timeText } from './frames.ts';
import type { Peer } from './peer.ts';

type Kept = FrameOf<'chat_list' | 'rate_limit_active' | 'rate_limit_cleared'>;

/**
 * Frames of a proxy about a session that replace the one before and are not stored: the conversations that the agent's
 * own screen lists (CHT-324) and the limits of its provider (CHT-370). The latest of each is kept in memory.
 */
export type LatestFrames = ReturnType<typeof createLatestFrames>;

export const LATEST_FEATURES = ['chat_list', 'rate_limits'] as const satisfies readonly ChatFeature[];
/** For each feature. */
const MAX_KEPT = 200;

export function createLatestFrames(
  context: CoreContext,
  publish: (session_id: string, text: string, feature: string) => void,
) {
  const kept: ReadonlyMap<string, RecentMap<string, string>> = new Map(
    LATEST_FEATURES.map((feature) => [feature, new RecentMap<string, string>(MAX_KEPT)]),
  );

  const repeat = (peer: Peer, session_id: string): void => {
    const session = context.sessions.get(session_id);
    if (!context.sessions.isSeenBy(peer, session)) return;
    for (const [feature, latest] of kept) {
      const text = latest.get(session_id);
      if (text !== undefined && peer.features.has(feature)) peer.send(text, 'answer');
    }
  };

  return {
    // Everything is published again for each node that joins.
    /** Keeps and shows a frame from the leader's bus message; false if it is not of these. */
    receive: (session_id: string, text: string, feature: string): boolean => {
      const latest = kept.get(feature);
      if (latest === undefined) return false;
      if (latest.get(session_id) === text) return true;
      latest.set(session_id, text);
      context.peers.show(session_id, text, feature);
      return true;
    },
    /** Publishes everything kept, for a node that has just joined. */
    publishAll: (): void => {
      for (const [feature, latest] of kept)
        for (const [session_id, text] of latest)
          context.bus.publish({ kind: 'grown', session_id, text, feature });
    },
    observe: (peer: Peer, frame: Kept, text: string): void => {
      if (context.sessions.ofFrame(peer, frame) === undefined) return;
      if (text.length > MAX_ENTRY_CHARS) {
        peer.refuse(frame, 'invalid_message', ENTRY_TOO_LARGE);
        return;
      }
      const { session_id } = frame;
      const feature = frame.type === 'chat_list' ? 'chat_list' : 'rate_limits';
      const shown = shownText(frame, context.now());
      kept.get(feature)?.set(session_id, shown);
      publish(session_id, shown, feature);
    },
    /** Sends the peer a session's latest frames of the features that it lists. */
    repeat,
    repeatAll: (peer: Peer): void => {
      if (!LATEST_FEATURES.some((feature) => peer.features.has(feature))) return;
      for (const { session_id } of context.sessions.shownTo(peer, context.now())) repeat(peer, session_id);
    },
  };
}

function shownText(frame: Kept, now: number): string {
  if (frame.type !== 'chat_list') return JSON.stringify({ ...frame, server_ts: timeText(now) });
  const { session_id, chats, read_at } = frame;
  return frameText({ type: 'chat_list', session_id, chats, ...(read_at && { read_at }) }, now);
}
