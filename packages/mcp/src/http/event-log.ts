import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

export interface EventLogLimits {
  readonly events: number;
  readonly bytes: number;
}

interface LoggedEvent {
  readonly session: symbol;
  readonly stream: string;
  /** Empty for the event that opens a stream: it has an id to resume from, and nothing to say. */
  readonly text: Buffer;
}

/**
 * Keeps what clients are sent again when they resume a stream with `Last-Event-ID`. The oldest events go first. The
 * limits are for all sessions together: one client can open many.
 */
export function createEventLog(limits: EventLogLimits) {
  const kept = new Map<number, LoggedEvent>();
  let last = 0;
  let bytes = 0;

  const drop = (id: number, { text }: LoggedEvent): void => {
    kept.delete(id);
    bytes -= text.length;
  };

  return {
    /** One session's part of it. */
    open(): { readonly store: EventStore; readonly forget: () => void } {
      const session = Symbol('session');
      const streamOf = (eventId: string): string | undefined => {
        const event = kept.get(Number(eventId));
        return event?.session === session ? event.stream : undefined;
      };
      const store: EventStore = {
        async storeEvent(stream, message) {
          const text = Buffer.from(Object.keys(message).length === 0 ? '' : JSON.stringify(message));
          last += 1;
          kept.set(last, { session, stream, text });
          bytes += text.length;
          for (const [id, oldest] of kept) {
            if (id === last || (kept.size <= limits.events && bytes <= limits.bytes)) break;
            drop(id, oldest);
          }
          return String(last);
        },
        getStreamIdForEventId: async (eventId) => streamOf(eventId),
        async replayEventsAfter(eventId, { send }) {
          const stream = streamOf(eventId);
          if (stream === undefined) throw new Error('Events after this one are no longer stored.');
          for (const [id, event] of kept) {
            const isNext = id > Number(eventId) && event.session === session && event.stream === stream;
            if (!isNext || event.text.length === 0) continue;
            const message: JSONRPCMessage = JSON.parse(String(event.text));
            await send(String(id), message);
          }
          return stream;
        },
      };
      return {
        store,
        forget() {
          for (const [id, event] of kept) if (event.session === session) drop(id, event);
        },
      };
    },
  };
}
