import type { Courier } from './courier.ts';
import type { Addressee, NoteOf } from './ports.ts';
import { createRecentIds } from './recent-ids.ts';

/** Client messages for people who are connected to another node. */
export interface Post {
  /** `also`: another connection of the client already has it. Messages to one client keep their order. */
  readonly tell: (to: Addressee, text: string, how: 'also' | 'insist', onTold?: () => void) => void;
  /** Drops messages addressed only to this connection, so they do not block the client's queue. */
  readonly left: (connection_id: string) => void;
  /** True for a message that this node published. */
  readonly isOwn: (note: NoteOf<'told'>) => boolean;
}

interface PostOptions {
  readonly courier: Courier;
  readonly id: (kind: string) => string;
}

interface Letter {
  readonly told_id: string;
  /** Null for any connection of the client. */
  readonly connection_id: string | null;
  readonly go: () => void;
}

const REMEMBERED = 10_000;
/** Per client that no node has acknowledged yet. */
const MAX_WAITING = 256;
/** More than are lost in a row. */
const TIMES = 4;

export function createPost({ courier, id }: PostOptions): Post {
  const own = createRecentIds(REMEMBERED);
  const gone = createRecentIds(REMEMBERED);
  /** By client; the first message of each is in flight. */
  const lines = new Map<string, Letter[]>();

  const isForNobody = ({ connection_id }: Letter): boolean =>
    connection_id !== null && gone.has(connection_id);

  const next = (key: string): void => {
    const line = lines.get(key);
    line?.shift();
    const [letter] = line ?? [];
    if (letter === undefined) lines.delete(key);
    else if (isForNobody(letter)) next(key);
    else letter.go();
  };

  return {
    tell: (to, text, how, onTold) => {
      const told_id = id('told');
      const { device_id, client_id, connection_id } = to;
      const note = { kind: 'told', told_id, device_id, client_id, connection_id, text } as const;
      own.add(told_id);
      // The acknowledging node may hold a dead connection of that client, and another node the live one.
      const atLeast = connection_id === null ? TIMES : 1;
      const key = JSON.stringify([device_id, client_id]);
      const line = lines.get(key);
      if (how === 'also' || (line !== undefined && line.length >= MAX_WAITING)) {
        courier.repeat(note, atLeast);
        return;
      }
      const go = (): void => {
        courier.deliver(told_id, note, atLeast, (node_id) => {
          if (node_id !== undefined) onTold?.();
          next(key);
        });
      };
      const letter: Letter = { told_id, connection_id, go };
      if (isForNobody(letter)) return;
      if (line === undefined) {
        lines.set(key, [letter]);
        go();
      } else line.push(letter);
    },
    left: (connection_id) => {
      if (!gone.add(connection_id)) return;
      for (const [letter] of [...lines.values()]) {
        if (letter?.connection_id === connection_id) courier.giveUp(letter.told_id);
      }
    },
    isOwn: ({ told_id }) => own.has(told_id),
  };
}
