import type { Ledger } from '../ledger/ledger.ts';
import type { CommitResult, Write } from '../ledger/writes.ts';
import type { Feed } from './feed.ts';
import type { Bus, RelayEvent } from './ports.ts';

interface CommitOptions {
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly feed: Feed;
  /** Called after events were appended and published. */
  readonly onCommitted: (session_id: string) => void;
}

/** Offers a node's own events to its feed directly, because the bus may lose them. */
export function createCommit({ ledger, bus, feed, onCommitted }: CommitOptions) {
  return async (
    session_id: string,
    writes: readonly Write[],
    beforePublish?: (sequence: number) => void,
  ): Promise<CommitResult> => {
    const over = feed.expect(session_id);
    try {
      const outcome = await ledger.commit(writes);
      if (!outcome.committed) return outcome;
      const events = eventsOf(session_id, writes, outcome.results);
      const first = events[0];
      if (first === undefined) return outcome;
      beforePublish?.(first.sequence);
      feed.offer(session_id, events);
      bus.publish({ kind: 'appended', session_id, events });
      onCommitted(session_id);
      return outcome;
    } finally {
      over();
    }
  };
}

function eventsOf(
  session_id: string,
  writes: readonly Write[],
  results: readonly (object | null)[],
): readonly RelayEvent[] {
  const events: RelayEvent[] = [];
  writes.forEach((write, index) => {
    const result = results[index];
    if (!result || !('sequence' in result) || typeof result.sequence !== 'number') return;
    const { sequence } = result;
    if (write.do === 'append_event') {
      const { event_id, type, payload, at, message_id = null } = write;
      events.push({ session_id, sequence, event_id, type, payload, at, message_id });
    }
    if (write.do === 'accept_message') {
      const { event_id, payload } = write.event;
      const { at } = write;
      events.push({
        session_id,
        sequence,
        event_id,
        type: 'message_accepted',
        payload,
        at,
        message_id: null,
      });
    }
  });
  return events;
}
