import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ledger-error.ts';
import { type Row, text } from '../rows/row.ts';
import { migrate } from '../sqlite/database.ts';
import { lockLedger, makePrivate } from '../sqlite/ledger-folder.ts';
import { LINE_UP_WAITING, MIGRATIONS } from '../sqlite/migrations.ts';
import { addRowCheck } from '../sqlite/row-check.ts';
import { createSql } from '../sqlite/sql.ts';
import { openSqliteLedger } from '../sqlite/sqlite-ledger.ts';
import { syncPath } from '../sqlite/sync-path.ts';
import { verifySqliteFile } from '../sqlite/verification.ts';
import { columnsOf, type LedgerSource, type LedgerTarget, TABLES, type Table } from './tables.ts';

const ROWS_AT_ONCE = 200;

/** Tables whose rows refer to a session by its number in SQLite. */
const OF_SESSIONS: ReadonlySet<Table> = new Set([
  'events',
  'messages',
  'prompts',
  'files',
  'tasks',
  'tab_sessions',
]);

/** A whole ledger file without a writer. */
export async function openSqliteSource(path: string): Promise<LedgerSource> {
  if (!existsSync(path)) throw new LedgerError('ledger_invalid', `There is no ledger at ${path}.`);
  // Migrates an older file, and refuses one that is in use or has lost commits.
  await (await openSqliteLedger({ path })).close();
  const lock = lockLedger(path);
  try {
    const { damage } = verifySqliteFile(path);
    if (damage !== undefined) {
      throw new LedgerError(
        'ledger_damaged',
        `The ledger ${path} is damaged: ${damage.where}: ${damage.problem}. Restore a backup, and copy that.`,
      );
    }
    return sourceOf(new DatabaseSync(path, { readOnly: true }), lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}

export function readSqlite(path: string): LedgerSource {
  return sourceOf(new DatabaseSync(path, { readOnly: true }), { close: () => {} });
}

function sourceOf(database: DatabaseSync, lock: { readonly close: () => void }): LedgerSource {
  database.exec('BEGIN');
  const sql = createSql(database);
  return {
    epoch: text(sql.one('SELECT epoch FROM birth') ?? {}, 'epoch'),
    rows: async function* (table) {
      let some: Row[] = [];
      for (const row of sql.each(selectOf(table))) {
        some.push(row);
        if (some.length < ROWS_AT_ONCE) continue;
        yield some;
        some = [];
      }
      if (some.length > 0) yield some;
    },
    close: async () => {
      database.close();
      lock.close();
    },
  };
}

function selectOf(table: Table): string {
  const columns = TABLES[table];
  if (!OF_SESSIONS.has(table)) return `SELECT ${columns} FROM ${table} ORDER BY 1`;
  const order = table === 'events' ? 'session_id, sequence' : '1';
  return `SELECT ${columns
    .replace('session_id', 'sessions.session_id')
    .split(', ')
    .map((column) => (column.includes('.') ? column : `${table}.${column}`))
    .join(', ')} FROM ${table} LEFT JOIN sessions USING (session) ORDER BY ${order}`;
}

/** Renames the file to its final name only once it is whole and synced. */
export function createSqliteTarget(path: string): LedgerTarget {
  if (existsSync(path)) {
    throw new LedgerError('ledger_invalid', `${path} exists. A copy never overwrites: give another name.`);
  }
  const draft = `${path}.part`;
  rmSync(draft, { force: true });
  makePrivate(draft);
  const database = new DatabaseSync(draft);
  addRowCheck(database);
  // No reader sees an unfinished file, so no rollback is needed.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
  const sql = createSql(database);
  migrate(database, sql, MIGRATIONS);
  database.exec('BEGIN');
  let isOpen = true;
  const end = (): void => {
    if (isOpen) database.close();
    isOpen = false;
  };
  return {
    write: async (table, rows) => {
      const insert = insertOf(table);
      for (const row of rows) sql.run(insert, ...columnsOf(table).map((column) => row[column] ?? null));
    },
    finish: async (epoch) => {
      sql.run('UPDATE birth SET epoch = ?', epoch);
      sql.run(LINE_UP_WAITING);
      database.exec('COMMIT');
      end();
      syncPath(draft);
      renameSync(draft, path);
      syncPath(dirname(path));
    },
    close: async () => {
      end();
      rmSync(draft, { force: true });
    },
  };
}

function insertOf(table: Table): string {
  if (!OF_SESSIONS.has(table)) {
    return `INSERT INTO ${table} (${TABLES[table]}) VALUES (${columnsOf(table)
      .map(() => '?')
      .join(', ')})`;
  }
  const columns = TABLES[table].replace('session_id', 'session');
  const values = columnsOf(table).map((column) =>
    column === 'session_id' ? '(SELECT session FROM sessions WHERE session_id = ?)' : '?',
  );
  return `INSERT INTO ${table} (${columns}) VALUES (${values.join(', ')})`;
}
