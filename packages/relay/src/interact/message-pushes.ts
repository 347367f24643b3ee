import { createMutex, RecentMap } from '@drawbridge/base';
import type { Ledger } from '@drawbridge/ledger';
import type { RelayCore, RelayEvent } from '../core/ports.ts';
import { BRAIN_DEVICE } from './agent-sessions.ts';
import { createMessagePlaces, type MessagePlaces, messagesIn, storedMessage } from './message-list.ts';

/** Pushes to subscribers of `private-session-<session_id>`. */
export type Push = (session_id: string, event: 'new_message' | 'interact_response', payload: object) => void;

export interface MessagePushesOptions {
  readonly core: Pick<RelayCore, 'onEvents'>;
  readonly ledger: Pick<Ledger, 'transcriptBefore'>;
  readonly push: Push;
  readonly onError: (error: unknown) => void;
}

/** Sessions whose message positions are cached; those of others are read again. */
const MAX_SESSIONS = 100;

/**
 * INT-170: pushes each message stored in a session of our agent, from any sender. Returns a function that
 * stops it.
 */
export function pushMessages({ core, ledger, push, onError }: MessagePushesOptions): () => void {
  /** Message positions, by session. */
  const known = new RecentMap<string, MessagePlaces>(MAX_SESSIONS);
  /** Serializes the pushes, so they go out in stored order. */
  const inOrder = createMutex();

  const placesIn = async (session_id: string): Promise<MessagePlaces> => {
    const places = known.get(session_id) ?? createMessagePlaces();
    if (!known.has(session_id)) {
      for (const message of await messagesIn(ledger, session_id)) places.show(message);
    }
    known.set(session_id, places);
    return places;
  };

  const tell = async (session_id: string, event: RelayEvent): Promise<void> => {
    const places = await placesIn(session_id);
    const message = places.show(storedMessage(event));
    push(session_id, 'new_message', { type: 'new_message', sessionId: session_id, message });
  };

  return core.onEvents(['message_event', 'user_message'], (event, session) => {
    if (session?.proxy_device_id !== BRAIN_DEVICE) return;
    inOrder(() => tell(event.session_id, event)).catch(onError);
  });
}
