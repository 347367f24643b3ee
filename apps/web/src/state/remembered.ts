import type { Session } from '@drawbridge/protocol';
import type { Entry } from '@drawbridge/ui/model';
import type { AppState } from './app-state.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { reindexed } from './conversation-window.ts';

/** Tail of the known state, for opening offline. */
export interface Remembered {
  readonly at: number;
  readonly sessions: readonly Session[];
  readonly tails: ReadonlyMap<string, readonly Entry[]>;
}

export const MOST_SESSIONS = 100;
const MOST_ENTRIES = 40;
/** Longer entries are not stored. */
const MOST_CHARS = 20_000;

const isShort = (entry: Entry): boolean => JSON.stringify(entry).length <= MOST_CHARS;

export const tailOf = ({ entries }: Conversation): readonly Entry[] =>
  entries.slice(-MOST_ENTRIES).filter(isShort);

/** Restores the stored state; the relay's own replaces it, session by session. */
export function recalled(state: AppState, { at, sessions, tails }: Remembered): AppState {
  if (state.isListed) return state;
  const known = sessions.map(({ session_id }): [string, Conversation] => [
    session_id,
    {
      ...createConversation(),
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
