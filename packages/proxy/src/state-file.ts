import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { KnownTarget } from './adapter.ts';
import { keyOf, openDrafts, type ProxyMessage } from './drafts.ts';
import type { Outbox } from './outgoing.ts';

/** Progress of a send. A send that was only intended at a crash is looked up in the agent's history. */
export type SendRecord =
  | { readonly state: 'intent'; readonly text?: string }
  | { readonly state: 'injected'; readonly at: string }
  | {
      readonly state: 'failed' | 'unknown';
      readonly at: string;
      readonly code: string;
      readonly message: string;
    };

export interface KnownSession extends KnownTarget {
  readonly session_id: string;
  readonly agent: string;
  /** From its last description. */
  readonly lasting: boolean;
}

/**
 * Durable state: each send before and after injection (CHT-161), and the `session_id` of each conversation
 * (CHT-124). Locked by one process.
 */
export interface StateFile {
  readonly send: (session_id: string, client_message_id: string) => SendRecord | undefined;
  /** Synced to disk on return. */
  readonly record: (session_id: string, client_message_id: string, record: SendRecord) => void;
  /** How many of the latest injected sends of the session have exactly this text. */
  readonly repeats: (session_id: string, text: string) => number;
  readonly sessions: () => readonly KnownSession[];
  readonly remember: (session: KnownSession) => void;
  readonly forget: (session_id: string) => void;
  /** Agent processes, by id and a mark that detects a reused id. */
  readonly agents: () => ReadonlyArray<{ readonly pid: number; readonly mark: string }>;
  readonly agentBegan: (pid: number, mark: string) => void;
  readonly agentEnded: (pid: number) => void;
  /** Messages to the relay that it has not confirmed. */
  readonly outbox: Outbox;
  /** Idempotent. */
  readonly close: () => void;
}

const RETENTION_DAYS = 30;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sends (
    session_id TEXT, client_message_id TEXT, state TEXT, at TEXT, code TEXT, message TEXT, recorded_at INTEGER,
    PRIMARY KEY (session_id, client_message_id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sessions (
    session_id TEXT PRIMARY KEY, agent TEXT, signature TEXT UNIQUE, workspace TEXT, title TEXT, lasting INTEGER) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS agents (pid INTEGER PRIMARY KEY, mark TEXT);
  CREATE TABLE IF NOT EXISTS outbox (
    place INTEGER PRIMARY KEY, session_id TEXT, message_id TEXT, frame TEXT, UNIQUE (session_id, message_id));
  CREATE TABLE IF NOT EXISTS send_texts (
    place INTEGER PRIMARY KEY, session_id TEXT, client_message_id TEXT, hash TEXT, UNIQUE (session_id, client_message_id));`;

const hashOf = (text: string): string => createHash('sha256').update(text.trim()).digest('base64');

/** Throws when another proxy has it open: two would inject each send twice. */
export function openStateFile(path: string, now: () => number): StateFile {
  // SQLite would create it readable by others.
  closeSync(openSync(path, 'a', 0o600));
  const db = new DatabaseSync(path);
  try {
    // Held until the process ends: https://sqlite.org/pragma.html#pragma_locking_mode
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    db.exec(`BEGIN EXCLUSIVE; ${SCHEMA} COMMIT;`);
  } catch (error) {
    db.close();
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
    throw new Error(`Another proxy uses ${path}. End it first, or give this one a folder of its own.`, {
      cause: error,
    });
  }
  db.prepare('DELETE FROM sends WHERE recorded_at < ?').run(now() - RETENTION_DAYS * 86_400_000);
  db.exec(
    `DELETE FROM send_texts WHERE NOT EXISTS (SELECT 1 FROM sends
       WHERE sends.session_id = send_texts.session_id
         AND sends.client_message_id = send_texts.client_message_id)`,
  );

  const find = db.prepare('SELECT * FROM sends WHERE session_id = ? AND client_message_id = ?');
  const put = db.prepare('INSERT OR REPLACE INTO sends VALUES (?, ?, ?, ?, ?, ?, ?)');
  const describe = db.prepare(
    'INSERT OR REPLACE INTO send_texts (session_id, client_message_id, hash) VALUES (?, ?, ?)',
  );
  const latest = db.prepare(
    `SELECT hash FROM send_texts JOIN sends USING (session_id, client_message_id)
     WHERE session_id = ? AND state = 'injected' ORDER BY place DESC LIMIT 100`,
  );
  const list = db.prepare('SELECT * FROM sessions ORDER BY session_id');
  const keep = db.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?)');
  const drop = db.prepare('DELETE FROM sessions WHERE session_id = ?');
  const running = db.prepare('SELECT * FROM agents');
  const began = db.prepare('INSERT OR REPLACE INTO agents VALUES (?, ?)');
  const ended = db.prepare('DELETE FROM agents WHERE pid = ?');
  const unsent = db.prepare('SELECT frame FROM outbox ORDER BY place');
  const queue = db.prepare(
    `INSERT INTO outbox (session_id, message_id, frame) VALUES (?, ?, ?)
     ON CONFLICT (session_id, message_id) DO UPDATE SET frame = excluded.frame`,
  );
  const unqueue = db.prepare('DELETE FROM outbox WHERE session_id = ? AND message_id = ?');
  const inOneCommit = (work: () => void): void => {
    if (!db.isOpen) return;
    db.exec('BEGIN');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };
  const enqueue = (frames: readonly ProxyMessage[]): void =>
    inOneCommit(() => {
      for (const frame of frames)
        queue.run(frame.session_id, frame.message.message_id ?? '', JSON.stringify(frame));
    });
  const unconfirmed = (): readonly ProxyMessage[] =>
    unsent.all().map((row) => JSON.parse(String(row['frame'])));

  const drafts = openDrafts(`${path}.drafts`);
  if (drafts.left.length > 0) {
    const known = new Map(unconfirmed().map((frame) => [keyOf(frame), frame.message.content.length]));
    enqueue(drafts.left.filter((frame) => frame.message.content.length > (known.get(keyOf(frame)) ?? 0)));
  }
  drafts.clear();

  return {
    send: (session_id, client_message_id) => {
      const row = find.get(session_id, client_message_id);
      return row === undefined ? undefined : parseSend(row);
    },
    record: (session_id, client_message_id, record) => {
      const {
        state,
        at = null,
        code = null,
        message = null,
      } = { at: null, code: null, message: null, ...record };
      put.run(session_id, client_message_id, state, at, code, message, now());
      if (record.state === 'intent' && record.text !== undefined)
        describe.run(session_id, client_message_id, hashOf(record.text));
    },
    repeats: (session_id, text) => {
      const hash = hashOf(text);
      const rows = latest.all(session_id);
      const other = rows.findIndex((row) => row['hash'] !== hash);
      return other < 0 ? rows.length : other;
    },
    sessions: () => list.all().map(parseSession),
    remember: ({ session_id, agent, signature, workspace, title, lasting }) => {
      keep.run(session_id, agent, signature, workspace, title, Number(lasting));
    },
    forget: (session_id) => {
      drop.run(session_id);
    },
    agents: () => running.all().map((row) => ({ pid: Number(row['pid']), mark: String(row['mark']) })),
    agentBegan: (pid, mark) => {
      if (db.isOpen) began.run(pid, mark);
    },
    // An agent may exit after the file is closed.
    agentEnded: (pid) => {
      if (db.isOpen) ended.run(pid);
    },
    outbox: {
      unconfirmed,
      keep: (frames) => {
        enqueue(frames);
        drafts.stored(frames);
      },
      drop: (frames) => {
        inOneCommit(() => {
          for (const { session_id, message } of frames) unqueue.run(session_id, message.message_id ?? '');
        });
        drafts.stored(frames);
      },
      draft: drafts.write,
    },
    close: () => {
      drafts.close();
      if (db.isOpen) db.close();
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

function parseSend(row: Row): SendRecord {
  const [at, code, message] = [String(row['at']), String(row['code']), String(row['message'])];
  switch (row['state']) {
    case 'injected':
      return { state: 'injected', at };
    case 'failed':
    case 'unknown':
      return { state: row['state'], at, code, message };
    default:
      return { state: 'intent' };
  }
}

const parseSession = (row: Row): KnownSession => ({
  session_id: String(row['session_id']),
  agent: String(row['agent']),
  signature: String(row['signature']),
  workspace: String(row['workspace']),
  title: row['title'] === null ? null : String(row['title']),
  lasting: row['lasting'] === 1,
});
