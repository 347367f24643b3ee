import { RecentMap } from '@drawbridge/base';
import type { CoreContext } from './core-context.ts';
import { ENTRY_TOO_LARGE, MAX_ENTRY_CHARS } from './frame-budget.ts';
import { type FrameOf, frameText } from './frames.ts';
import type { Peer } from './peer.ts';

/** CHT-324: the conversations that an agent's own screen lists. The latest list of a session is kept in memory. */
export interface ChatLists {
  readonly observe: (peer: Peer, frame: FrameOf<'chat_list'>, text: string) => void;
  /** Keeps and shows a list from the leader's bus message. */
  readonly receive: (session_id: string, text: string) => void;
  /** Publishes every kept list, for a node that has just joined. */
  readonly publishAll: () => void;
  /** Sends the peer a session's latest list. */
  readonly repeat: (peer: Peer, session_id: string) => void;
  readonly repeatAll: (peer: Peer) => void;
}

export const CHAT_LIST = 'chat_list';
const MAX_KEPT = 200;

export function createChatLists(
  context: CoreContext,
  publish: (session_id: string, text: string, feature: string) => void,
): ChatLists {
  const latest = new RecentMap<string, string>(MAX_KEPT);

  const repeat: ChatLists['repeat'] = (peer, session_id) => {
    const text = latest.get(session_id);
    const session = context.sessions.get(session_id);
    if (text !== undefined && context.sessions.isSeenBy(peer, session)) peer.send(text, 'answer');
  };

  return {
    // A list is published again for each node that joins.
    receive: (session_id, text) => {
      if (latest.get(session_id) === text) return;
      latest.set(session_id, text);
      context.peers.show(session_id, text, CHAT_LIST);
    },
    publishAll: () => {
      for (const [session_id, text] of latest)
        context.bus.publish({ kind: 'grown', session_id, text, feature: CHAT_LIST });
    },
    observe: (peer, frame, text) => {
      if (context.sessions.ofFrame(peer, frame) === undefined) return;
      if (text.length > MAX_ENTRY_CHARS) {
        peer.refuse(frame, 'invalid_message', ENTRY_TOO_LARGE);
        return;
      }
      const { session_id, chats, read_at } = frame;
      const list = { type: 'chat_list', session_id, chats, ...(read_at && { read_at }) } as const;
      const shown = frameText(list, context.now());
      latest.set(session_id, shown);
      publish(session_id, shown, CHAT_LIST);
    },
    repeat,
    repeatAll: (peer) => {
      if (!peer.features.has(CHAT_LIST)) return;
      for (const { session_id } of context.sessions.shownTo(peer, context.now())) repeat(peer, session_id);
    },
  };
}
