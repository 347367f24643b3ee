import { createMutex, RecentMap } from '@drawbridge/base';
import type { Ledger } from '@drawbridge/ledger';
import type { Bus, RelayEvent } from '../core/ports.ts';
import { BRAIN_DEVICE } from './agent-sessions.ts';
import { createMessagePlaces, type MessagePlaces, messagesIn, storedMessage } from './message-list.ts';

/** Pushes to subscribers of `private-session-<session_id>`. */
export type Push = (session_id: string, event: 'new_message' | 'interact_response', payload: object) => void;

export interface MessagePushesOptions {
  readonly bus: Pick<Bus, 'onMessage'>;
  readonly ledger: Pick<Ledger, 'session' | 'transcriptBefore'>;
  readonly push: Push;
  readonly onError: (error: unknown) => void;
}

/** Sessions whose message positions are cached; those of others are read again. */
const MAX_SESSIONS = 100;
/** Sessions cached as another agent's, so their messages cause no ledger read. */
const MAX_OTHERS = 10_000;

/**
 * INT-170: pushes each message stored in a session of our agent, from any sender. Returns a function that
 * stops it.
 */
export function pushMessages({ bus, ledger, push, onError }: MessagePushesOptions): () => void {
  /** Message positions, by session. */
  const known = new RecentMap<string, MessagePlaces>(MAX_SESSIONS);
  const others = new Set<string>();
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

  const isOurs = async (session_id: string): Promise<boolean> => {
    if (known.has(session_id)) return true;
    if (others.has(session_id)) return false;
    const session = await ledger.session(session_id);
    if (session?.proxy_device_id === BRAIN_DEVICE) return true;
    if (others.size >= MAX_OTHERS) others.clear();
    if (session !== undefined) others.add(session_id);
    return false;
  };

  const tell = async (session_id: string, events: readonly RelayEvent[]): Promise<void> => {
    if (!(await isOurs(session_id))) return;
    const places = await placesIn(session_id);
    for (const event of events) {
      const message = places.show(storedMessage(event));
      push(session_id, 'new_message', { type: 'new_message', sessionId: session_id, message });
    }
  };

  return bus.onMessage((message) => {
    if (message.kind !== 'appended') return;
    // A deleted session may start again with another owner.
    if (message.events[0]?.sequence === 1) others.delete(message.session_id);
    if (others.has(message.session_id)) return;
    const events = message.events.filter(({ type }) => type === 'message_event');
    if (events.length > 0) inOrder(() => tell(message.session_id, events)).catch(onError);
  });
}
