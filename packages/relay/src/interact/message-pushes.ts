import { createMutex, RecentMap } from '@drawbridge/base';
import type { Bus, RelayEvent } from '../core/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { BRAIN_DEVICE } from './agent-sessions.ts';
import { listMessages, shownMessage, storedMessage } from './message-list.ts';

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
  const known = new RecentMap<string, Map<string, number>>(MAX_SESSIONS);
  const others = new Set<string>();
  /** Serializes the pushes, so they go out in stored order. */
  const inOrder = createMutex();

  const placesIn = async (session_id: string): Promise<Map<string, number>> => {
    const there = known.get(session_id);
    const messages = there === undefined ? await listMessages(ledger, session_id) : [];
    const indexByKey = there ?? new Map(messages.map(({ messageId }, index) => [messageId, index]));
    known.set(session_id, indexByKey);
    return indexByKey;
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
    const indexByKey = await placesIn(session_id);
    for (const event of events) {
      const stored = storedMessage(event);
      const index = indexByKey.get(stored.message_id) ?? indexByKey.size;
      indexByKey.set(stored.message_id, index);
      const message = shownMessage(stored, index);
      push(session_id, 'new_message', { type: 'new_message', sessionId: session_id, message });
    }
  };

  return bus.onMessage((note) => {
    if (note.kind !== 'appended') return;
    // A deleted session may start again with another owner.
    if (note.events[0]?.sequence === 1) others.delete(note.session_id);
    if (others.has(note.session_id)) return;
    const events = note.events.filter(({ type }) => type === 'message_event');
    if (events.length > 0) inOrder(() => tell(note.session_id, events)).catch(onError);
  });
}
