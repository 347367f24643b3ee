import type { ReplyTo } from '@drawbridge/protocol/http-call';
import { plainText } from '../ask/plain-text.ts';
import { counted } from '../map/paint.ts';
import { ago } from './device-words.ts';

export type ListedSession = ReplyTo<'GET /api/sessions'>['sessions'][number];

const MAX_NAME = 50;

/** Names and ids of sessions are foreign text. */
const plain = (text: string): string => plainText(text, MAX_NAME);

export function sessionLines(sessions: readonly ListedSession[], now: number): readonly string[] {
  const lines = sessions.map((session) => {
    const { session_id, name, events } = session;
    return `${plain(name)}\n  ${lifeOf(session, now)} · ${counted(events, 'event')}\n  ${plainText(session_id, 256)}`;
  });
  return [...lines, `${counted(sessions.length, 'session')}. --export copies one, --delete deletes it.`];
}

function lifeOf({ status, created_at, closed_at }: ListedSession, now: number): string {
  return closed_at === null ? `${status}, began ${ago(now - created_at)}` : `closed ${ago(now - closed_at)}`;
}

export const retentionLine = (days: number | null): string =>
  days === null
    ? 'Everything is kept forever.'
    : `Events older than ${counted(days, 'day')} are deleted within six hours.`;

export const exportedLine = (name: string, file: string, events: number): string =>
  `${plain(name)} is in ${file}, with ${counted(events, 'event')}.`;

export const deleteQuestion = ({ name, events }: Pick<ListedSession, 'name' | 'events'>): string =>
  `Delete ${plain(name)} with ${counted(events, 'event')}? This can’t be undone. Type yes:`;

export const deletedLine = ({ name }: ListedSession): string => `${plain(name)} is deleted.`;

/** Finds the session by id or name: nothing is deleted by a guess. */
export function oneSession(sessions: readonly ListedSession[], meant: string): ListedSession {
  const exact = sessions.filter(({ session_id, name }) => session_id === meant || name === meant);
  const found = exact.length > 0 ? exact : sessions.filter(({ session_id }) => session_id.startsWith(meant));
  const [one, ...others] = found;
  if (one === undefined) throw new Error(`No session is called "${meant}". See: drawbridge sessions`);
  if (others.length === 0) return one;
  const ids = found.map(({ session_id }) => `\n  ${plainText(session_id, 256)}`).join('');
  throw new Error(`${counted(found.length, 'session')} match "${meant}". Give the id:${ids}`);
}
