import type { Session } from '@drawbridge/protocol';
import type { Entry } from '@drawbridge/ui/model';
import type { AppState } from './app-state.ts';
import { createTalk, type Talk } from './talk.ts';
import { reindexed } from './talk-window.ts';

/** The end of what this device knew, for the next time that it opens without a network. */
export interface Remembered {
  readonly at: number;
  readonly sessions: readonly Session[];
  readonly tails: ReadonlyMap<string, readonly Entry[]>;
}

export const MOST_SESSIONS = 100;
const MOST_ENTRIES = 40;
/** What is longer waits for the network. */
const MOST_CHARS = 20_000;

const isShort = (entry: Entry): boolean => JSON.stringify(entry).length <= MOST_CHARS;

export const tailOf = ({ entries }: Talk): readonly Entry[] => entries.slice(-MOST_ENTRIES).filter(isShort);

/** As it was; the relay's own word takes its place, session by session. */
export function recalled(state: AppState, { at, sessions, tails }: Remembered): AppState {
  if (state.isListed) return state;
  const known = sessions.map(({ session_id }): [string, Talk] => [
    session_id,
    {
      ...createTalk(),
      ...state.talks.get(session_id),
      ...reindexed([...(tails.get(session_id) ?? [])]),
      asOf: at,
    },
  ]);
  return {
    ...state,
    asOf: at,
    sessions: new Map(sessions.map((session) => [session.session_id, session])),
    talks: new Map([...state.talks, ...known]),
  };
}
