import { LIMITS } from '@drawbridge/protocol';

/** Of a session, a prompt, a configuration, a question: each is repeated to everyone who connects. */
export const MAX_ENTRY_CHARS = 65_536;
export const ENTRY_TOO_LARGE = `It is longer than ${MAX_ENTRY_CHARS} characters. Say it in fewer.`;

/** Of one proxy: everyone who connects is sent all its sessions and configurations, and must keep up with them. */
export const MAX_STANDING_CHARS = 4 * 1_048_576;
/** A session counts as at least this much, so that smaller changes need no look at the others. */
export const LEAST_STANDING_CHARS = 2_048;
export const MAX_NEW_SESSIONS_PER_HOUR = 1_000;

const lengths = new WeakMap<object, number>();

/** Characters of a value that is never changed in place. */
export function charsOf(value: object | null | undefined): number {
  if (value === null || value === undefined) return 0;
  const known = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, known);
  return known;
}

/** What a frame has beside its lists. */
const ROOM_FOR_THE_REST = 2_048;

export interface FrameBudget {
  /** Those that still fit into the frame, and the others. */
  readonly fit: <Entry>(entries: readonly Entry[], most?: number) => readonly [Entry[], Entry[]];
}

/** One frame's characters, for all the lists in it: clients refuse a larger one, and would never get in. */
export function createFrameBudget(): FrameBudget {
  let left = LIMITS.frame.value - ROOM_FOR_THE_REST;
  return {
    fit: <Entry>(entries: readonly Entry[], most = left) => {
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
