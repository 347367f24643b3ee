import { LIMITS } from '@drawbridge/protocol';

/** Per session, prompt, configuration or question, because each is repeated to every new connection. */
export const MAX_ENTRY_CHARS = 65_536;
export const ENTRY_TOO_LARGE = `This is longer than ${MAX_ENTRY_CHARS} characters. Make it shorter.`;

/** Per proxy: every new connection is sent all its sessions and configurations, and must keep up. */
export const MAX_STANDING_CHARS = 4 * 1_048_576;
/** Smallest size that a session counts as, so that a smaller change needs no look at the others. */
export const LEAST_STANDING_CHARS = 2_048;
export const MAX_NEW_SESSIONS_PER_HOUR = 1_000;

const lengths = new WeakMap<object, number>();

/** Characters of an immutable value. */
export function charsOf(value: object | null | undefined): number {
  if (value === null || value === undefined) return 0;
  const known = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, known);
  return known;
}

/** Room for the fields of a frame beside its lists. */
const ROOM_FOR_THE_REST = 2_048;

export type FrameBudget = ReturnType<typeof createFrameBudget>;

/**
 * Character budget of one frame, shared by its lists: a client refuses a larger frame and could never
 * connect.
 */
export function createFrameBudget() {
  let left = LIMITS.frame.value - ROOM_FOR_THE_REST;
  return {
    /** Splits the entries into those that still fit into the frame and the rest. */
    fit: <Entry>(entries: readonly Entry[], most: number = left): readonly [Entry[], Entry[]] => {
      const fitting: Entry[] = [];
      const rest: Entry[] = [];
      let room = Math.min(left, most);
      for (const entry of entries) {
        const chars = JSON.stringify(entry).length + 1;
        if (chars > room) {
          rest.push(entry);
          continue;
        }
        fitting.push(entry);
        room -= chars;
        left -= chars;
      }
      return [fitting, rest];
    },
  };
}
