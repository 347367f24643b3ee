import type { Courier } from './courier.ts';
import type { Addressee, NoteOf } from './ports.ts';
import { createRecentIds } from './recent-ids.ts';

/** Texts for people who are connected to another relay of this ledger. */
export interface Post {
  /** `also`: somebody has it already. What one client is told comes in the order in which it was said. */
  readonly tell: (to: Addressee, text: string, how: 'also' | 'insist', onTold?: () => void) => void;
  /** Whether it is one of our own, come back. */
  readonly isOwn: (note: NoteOf<'told'>) => boolean;
}

interface PostOptions {
  readonly courier: Courier;
  readonly id: (kind: string) => string;
}

type Letter = () => void;

const REMEMBERED = 10_000;
/** For one client that nobody has found yet. */
const MAX_WAITING = 256;
/** More than are lost in a row. */
const TIMES = 4;

export function createPost({ courier, id }: PostOptions): Post {
  const own = createRecentIds(REMEMBERED);
  /** By client: the first of them is on its way. */
  const lines = new Map<string, Letter[]>();

  const next = (key: string): void => {
    const line = lines.get(key);
    line?.shift();
    const [letter] = line ?? [];
    if (letter === undefined) lines.delete(key);
    else letter();
  };

  return {
    tell: (to, text, how, onTold) => {
      const told_id = id('told');
      const { device_id, client_id, connection_id } = to;
      const note = { kind: 'told', told_id, device_id, client_id, connection_id, text } as const;
      own.add(told_id);
      // Whoever hears it may have a dead connection of that client, and another relay the living one.
      const atLeast = connection_id === null ? TIMES : 1;
      const key = JSON.stringify([device_id, client_id]);
      const line = lines.get(key);
      if (how === 'also' || (line !== undefined && line.length >= MAX_WAITING)) {
        courier.repeat(note, atLeast);
        return;
      }
      const letter = (): void => {
        courier.deliver(told_id, note, atLeast, (node_id) => {
          if (node_id !== undefined) onTold?.();
          next(key);
        });
      };
      if (line === undefined) {
        lines.set(key, [letter]);
        letter();
      } else line.push(letter);
    },
    isOwn: ({ told_id }) => own.has(told_id),
  };
}
