import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

export interface EventLogLimits {
  readonly events: number;
  readonly characters: number;
}

const EVENT_LOG_LIMITS: EventLogLimits = { events: 256, characters: 1_048_576 };

interface LoggedEvent {
  readonly stream: string;
  /** Empty for the event that opens a stream, which only has an id to resume from. */
  readonly text: string;
}

/** Replays events to a client that resumes a stream with `Last-Event-ID`. Evicts the oldest first. */
export function createEventLog(limits: EventLogLimits = EVENT_LOG_LIMITS): EventStore {
  const kept = new Map<number, LoggedEvent>();
  let last = 0;
  let characters = 0;
  const streamOf = (eventId: string) => kept.get(Number(eventId))?.stream;
  return {
    async storeEvent(stream, message) {
      const text = Object.keys(message).length === 0 ? '' : JSON.stringify(message);
      last += 1;
      kept.set(last, { stream, text });
      characters += text.length;
      for (const [id, oldest] of kept) {
        if (id === last || (kept.size <= limits.events && characters <= limits.characters)) break;
        kept.delete(id);
        characters -= oldest.text.length;
      }
      return String(last);
    },
    getStreamIdForEventId: async (eventId) => streamOf(eventId),
    async replayEventsAfter(eventId, { send }) {
      const stream = streamOf(eventId);
      if (stream === undefined) throw new Error('Events after this one are no longer stored.');
      for (const [id, event] of kept) {
        if (id <= Number(eventId) || event.stream !== stream || event.text === '') continue;
        const message: JSONRPCMessage = JSON.parse(event.text);
        await send(String(id), message);
      }
      return stream;
    },
  };
}
