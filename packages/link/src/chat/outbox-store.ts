import { chat } from '@drawbridge/protocol';
import type { SendFrame } from './chat-link.ts';

/** Keeps unanswered messages over a reload, a crash or a restart (CHT-135). */
export interface OutboxStore {
  /** In creation order. */
  readonly load: () => Promise<readonly SendFrame[]>;
  /** Resolves when it is durable: only then is it sent. */
  readonly put: (message: SendFrame) => Promise<void>;
  readonly remove: (client_message_id: string) => Promise<void>;
}

export function memoryOutbox(): OutboxStore {
  const kept = new Map<string, SendFrame>();
  return {
    load: async () => [...kept.values()],
    put: async (message) => {
      kept.set(message.client_message_id, message);
    },
    remove: async (id) => {
      kept.delete(id);
    },
  };
}

/** The sendable messages of a store; by id, which is by time. */
export function parseSends(stored: readonly unknown[]): readonly SendFrame[] {
  const sends = stored.flatMap((value) => {
    try {
      const frame = chat.read(value);
      return frame.type === 'send_message' ? [frame] : [];
    } catch {
      // Written by another version, or damaged: this one never sent it.
      return [];
    }
  });
  return sends.toSorted((a, b) => (a.client_message_id < b.client_message_id ? -1 : 1));
}
