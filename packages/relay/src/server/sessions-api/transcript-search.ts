import { type EventRecord, hasWords, type Ledger, wordsOf } from '@drawbridge/ledger';
import type { ReplyTo } from '@drawbridge/protocol/http-call';
import { maskShapes } from '@drawbridge/protocol/secrets';
import type { Identity } from '../../core/ports.ts';
import { seenSession, seenSessions, summaryOf } from './session-summary.ts';

type Found = ReplyTo<'GET /api/search'>;
type SearchHit = Found['hits'][number];

const MAX_WORDS = 10;
const MAX_HITS = 50;
const BEFORE_CHARS = 40;
const EXCERPT_CHARS = 160;

/** Undefined for a query without a word. */
export async function searchTranscripts(
  ledger: Ledger,
  identity: Identity,
  query: string,
): Promise<Found | undefined> {
  const words = wordsOf(query).slice(0, MAX_WORDS);
  if (words.length === 0) return undefined;
  const isGuest = identity.scopes.length > 0;
  const session_ids = isGuest
    ? (await seenSessions(ledger, identity)).map(({ session_id }) => session_id)
    : undefined;
  const { hits, isComplete } = await ledger.search({ words, limit: MAX_HITS, session_ids });
  const shown = await Promise.all(hits.map((event) => hitOf(ledger, identity, event, words)));
  return { hits: shown.filter((hit) => hit !== undefined), is_complete: isComplete };
}

/** Undefined when the words are only in masked text, so that a search does not confirm a guessed secret. */
async function hitOf(
  ledger: Ledger,
  identity: Identity,
  { session_id, sequence, at, message_id, payload }: EventRecord,
  words: readonly string[],
): Promise<SearchHit | undefined> {
  const session = await seenSession(ledger, identity, session_id);
  const { content = '', role = '' }: { content?: string; role?: string } = Object(payload['message']);
  const text = maskShapes(content);
  if (session === undefined || message_id === null || !hasWords(text, words)) return undefined;
  const { name } = summaryOf(session);
  return { session_id, name, message_id, sequence, role, at, excerpt: excerptOf(text, words) };
}

function excerptOf(text: string, [first = '']: readonly string[]): string {
  const at = text.toLowerCase().search(new RegExp(`(?<![\\p{L}\\p{N}])${first}`, 'u'));
  const from = Math.max(0, at - BEFORE_CHARS);
  const part = text
    .slice(from, from + EXCERPT_CHARS)
    .replaceAll(/\s+/g, ' ')
    .toWellFormed()
    .trim();
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT_CHARS < text.length ? '…' : ''}`;
}
