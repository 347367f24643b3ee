import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { maskShapes } from '@drawbridge/protocol/secrets';
import type { SearchQuery, SearchResult } from '../ledger.ts';
import type { EventRecord } from '../records.ts';
import { eventOf } from '../rows/record-rows.ts';
import { integer, type Row, text } from '../rows/row.ts';
import { wordsOf } from '../search-words.ts';
import { makePrivate } from './ledger-folder.ts';
import { createSql, type Sql } from './sql.ts';

/** Version of the index: another one is made again from the ledger. */
const VERSION = 1;
/**
 * The index is derived, so it is beside the ledger: no commit waits for it, and damage costs a rebuild. Stores
 * words without the texts, of the latest version of each message, with secrets masked.
 */
const SCHEMA = `
  CREATE TABLE source (epoch TEXT NOT NULL) STRICT;
  CREATE TABLE cursors (
    session_id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, through INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE messages (
    doc INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (session_id, message_id)
  ) STRICT;
  CREATE VIRTUAL TABLE words USING fts5(
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 0'
  );
  PRAGMA user_version = ${VERSION};
`;
const BATCH = 500;
/** A search answers with what is indexed by then. */
const CATCH_UP_MS = 1_000;

export const searchFile = (path: string): string => `${path}.search`;

/** Brings the index up to date as far as time allows, then searches it. Without a query it only forgets. */
export function searchLedger(path: string, query: SearchQuery | undefined): SearchResult {
  try {
    return withIndex(path, query);
  } catch (error) {
    if (!existsSync(searchFile(path))) throw error;
    rmSync(searchFile(path), { force: true });
    return withIndex(path, query);
  }
}

function withIndex(path: string, query: SearchQuery | undefined): SearchResult {
  const ledger = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  makePrivate(searchFile(path));
  const index = new DatabaseSync(searchFile(path), { timeout: 5_000 });
  try {
    index.exec('PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
    const [from, to] = [createSql(ledger), createSql(index)];
    prepare(index, to, from);
    ledger.exec('BEGIN');
    const isComplete = catchUp(index, to, from, query === undefined ? 0 : CATCH_UP_MS);
    return { hits: query === undefined ? [] : find(to, from, query), isComplete };
  } finally {
    index.close();
    ledger.close();
  }
}

function prepare(index: DatabaseSync, to: Sql, from: Sql): void {
  const epoch = text(from.one('SELECT epoch FROM birth') ?? {}, 'epoch');
  const version = to.one('PRAGMA user_version')?.['user_version'];
  if (version === 0) {
    index.exec(SCHEMA);
    to.run('INSERT INTO source VALUES (?)', epoch);
  } else if (version !== VERSION || to.one('SELECT epoch FROM source')?.['epoch'] !== epoch)
    throw new Error('The index belongs to another ledger.');
}

/** False when time ran out first. */
function catchUp(index: DatabaseSync, to: Sql, from: Sql, withinMs: number): boolean {
  const until = performance.now() + withinMs;
  let isComplete = true;
  index.exec('BEGIN IMMEDIATE');
  const sessions = from.all('SELECT session, session_id, created_at, oldest, head FROM sessions');
  if (forget(to, sessions) > 0) to.run("INSERT INTO words (words) VALUES ('optimize')");
  for (const session of sessions) {
    isComplete = indexSession(to, from, session, until);
    if (!isComplete) break;
  }
  index.exec('COMMIT');
  return isComplete;
}

/** Removes deleted and pruned messages. Returns their number. */
function forget(to: Sql, sessions: readonly Row[]): number {
  const known = new Map(sessions.map((session) => [text(session, 'session_id'), session]));
  let removed = 0;
  const remove = (where: string, ...values: (string | number)[]): void => {
    to.run(`DELETE FROM words WHERE rowid IN (SELECT doc FROM messages WHERE ${where})`, ...values);
    removed += to.run(`DELETE FROM messages WHERE ${where}`, ...values);
  };
  for (const cursor of to.all('SELECT * FROM cursors')) {
    const session_id = text(cursor, 'session_id');
    const session = known.get(session_id);
    const isSame = session?.['created_at'] === cursor['created_at'];
    if (session === undefined || !isSame || integer(session, 'head') < integer(cursor, 'through')) {
      remove('session_id = ?', session_id);
      to.run('DELETE FROM cursors WHERE session_id = ?', session_id);
    } else remove('session_id = ? AND sequence < ?', session_id, integer(session, 'oldest'));
  }
  return removed;
}

function indexSession(to: Sql, from: Sql, session: Row, until: number): boolean {
  const session_id = text(session, 'session_id');
  const cursor = to.one('SELECT through FROM cursors WHERE session_id = ?', session_id);
  let through = cursor === undefined ? 0 : integer(cursor, 'through');
  const head = integer(session, 'head');
  while (through < head) {
    if (performance.now() > until) return false;
    const rows = from.all(
      'SELECT sequence, message_id, at, payload FROM events WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT ?',
      integer(session, 'session'),
      through,
      BATCH,
    );
    for (const row of rows) if (row['message_id'] !== null) indexMessage(to, session_id, row);
    through = rows.length === 0 ? head : integer(rows.at(-1) ?? {}, 'sequence');
    to.run(
      'INSERT OR REPLACE INTO cursors VALUES (?, ?, ?)',
      session_id,
      integer(session, 'created_at'),
      through,
    );
  }
  return true;
}

function indexMessage(to: Sql, session_id: string, row: Row): void {
  const message_id = text(row, 'message_id');
  const which = [session_id, message_id] as const;
  const before = to.one('SELECT doc FROM messages WHERE session_id = ? AND message_id = ?', ...which);
  if (before !== undefined) {
    to.run('DELETE FROM words WHERE rowid = ?', integer(before, 'doc'));
    to.run('DELETE FROM messages WHERE doc = ?', integer(before, 'doc'));
  }
  const words = wordsOf(maskShapes(contentOf(text(row, 'payload'))));
  if (words.length === 0) return;
  const { doc } = to.one(
    'INSERT INTO messages (session_id, message_id, sequence, at) VALUES (?, ?, ?, ?) RETURNING doc',
    ...which,
    integer(row, 'sequence'),
    integer(row, 'at'),
  ) ?? { doc: null };
  to.run('INSERT INTO words (rowid, text) VALUES (?, ?)', doc ?? null, words.join(' '));
}

/** Empty for a damaged row, which `verify` reports. */
function contentOf(payload: string): string {
  try {
    const content: unknown = JSON.parse(payload)?.message?.content;
    return typeof content === 'string' ? content : '';
  } catch {
    return '';
  }
}

function find(to: Sql, from: Sql, { words, limit, session_ids }: SearchQuery): readonly EventRecord[] {
  const rows = to.all(
    `SELECT session_id, sequence FROM words JOIN messages ON doc = words.rowid
     WHERE words MATCH ? AND (? IS NULL OR session_id IN (SELECT value FROM json_each(?)))
     ORDER BY at DESC, doc DESC LIMIT ?`,
    words.map((word) => `"${word}"*`).join(' AND '),
    ...[session_ids, session_ids].map((ids) => (ids === undefined ? null : JSON.stringify(ids))),
    Math.max(0, limit),
  );
  return rows.flatMap((row) => {
    const session_id = text(row, 'session_id');
    const event = from.one(
      'SELECT events.* FROM events JOIN sessions USING (session) WHERE session_id = ? AND sequence = ?',
      session_id,
      integer(row, 'sequence'),
    );
    return event === undefined ? [] : [eventOf(session_id, event)];
  });
}
