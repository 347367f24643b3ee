import { type FrameOf, parseStored } from './frames.ts';
import type { RelayEvent } from './ports.ts';

/** Pending sends and their size, to bound what a session may queue. */
export interface PendingSends {
  /** False when the send is already there. */
  readonly add: (session_id: string, client_message_id: string, chars: number) => boolean;
  readonly has: (session_id: string, client_message_id: string) => boolean;
  readonly remove: (session_id: string, client_message_id: string) => void;
  /** Also counts sends that another node accepted. */
  readonly observe: (event: RelayEvent) => void;
  /** Size of a pending send; 0 when another node accepted it just now. */
  readonly chars: (session_id: string, client_message_id: string) => number;
  readonly hasRoom: (session_id: string, chars: number) => boolean;
}

interface Held {
  readonly chars: Map<string, number>;
  total: number;
}

type Message = FrameOf<'message_event'>['message'];

const MAX_SENDS = 1_000;
const MAX_CHARS = 32 * 1_048_576;

export const SETTLING: ReadonlySet<string> = new Set([
  'message_delivered',
  'message_failed',
  'message_cancelled',
]);

export function createPendingSends(): PendingSends {
  const sessions = new Map<string, Held>();

  const add: PendingSends['add'] = (session_id, client_message_id, chars) => {
    const held = sessions.get(session_id) ?? { chars: new Map(), total: 0 };
    if (held.chars.has(client_message_id)) return false;
    sessions.set(session_id, held);
    held.chars.set(client_message_id, chars);
    held.total += chars;
    return true;
  };

  const remove: PendingSends['remove'] = (session_id, client_message_id) => {
    const held = sessions.get(session_id);
    const chars = held?.chars.get(client_message_id);
    if (held === undefined || chars === undefined) return;
    held.chars.delete(client_message_id);
    held.total -= chars;
    if (held.chars.size === 0) sessions.delete(session_id);
  };

  return {
    add,
    has: (session_id, client_message_id) => sessions.get(session_id)?.chars.has(client_message_id) ?? false,
    remove,
    observe: ({ type, session_id, payload }) => {
      if (type === 'message_event') {
        const { client_message_id, content } = parseStored<Message>(payload['message']);
        if (client_message_id !== undefined) add(session_id, client_message_id, content.length);
      } else if (SETTLING.has(type)) remove(session_id, String(payload['client_message_id']));
    },
    chars: (session_id, client_message_id) => sessions.get(session_id)?.chars.get(client_message_id) ?? 0,
    hasRoom: (session_id, chars) => {
      const held = sessions.get(session_id);
      return held === undefined || (held.chars.size < MAX_SENDS && held.total + chars <= MAX_CHARS);
    },
  };
}
