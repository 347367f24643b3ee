/** Sends that have no outcome yet, and how much they are: what a session may leave waiting has an end. */
export interface UnsettledSends {
  /** False when it is there already. */
  readonly add: (session_id: string, client_message_id: string, chars: number) => boolean;
  readonly remove: (session_id: string, client_message_id: string) => void;
  /** Of one of them; 0 when another relay took it. */
  readonly chars: (session_id: string, client_message_id: string) => number;
  readonly hasRoom: (session_id: string, chars: number) => boolean;
}

interface Held {
  readonly chars: Map<string, number>;
  total: number;
}

const MAX_SENDS = 1_000;
const MAX_CHARS = 32 * 1_048_576;

export function createUnsettledSends(): UnsettledSends {
  const sessions = new Map<string, Held>();
  return {
    add: (session_id, client_message_id, chars) => {
      const held = sessions.get(session_id) ?? { chars: new Map(), total: 0 };
      if (held.chars.has(client_message_id)) return false;
      sessions.set(session_id, held);
      held.chars.set(client_message_id, chars);
      held.total += chars;
      return true;
    },
    remove: (session_id, client_message_id) => {
      const held = sessions.get(session_id);
      const chars = held?.chars.get(client_message_id);
      if (held === undefined || chars === undefined) return;
      held.chars.delete(client_message_id);
      held.total -= chars;
      if (held.chars.size === 0) sessions.delete(session_id);
    },
    chars: (session_id, client_message_id) => sessions.get(session_id)?.chars.get(client_message_id) ?? 0,
    hasRoom: (session_id, chars) => {
      const held = sessions.get(session_id);
      return held === undefined || (held.chars.size < MAX_SENDS && held.total + chars <= MAX_CHARS);
    },
  };
}
