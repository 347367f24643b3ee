import { randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { LedgerError } from '../ledger-error.ts';
import type { Row } from '../rows/row.ts';
import { type LedgerState, refuseEmptied } from './high-water-mark.ts';
import { makePrivate } from './ledger-folder.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import { addRowCheck } from './row-check.ts';
import { createSql, type Sql } from './sql.ts';
import { refuseCut, refuseHeadless, stateOf } from './start-check.ts';

export interface DatabaseOptions {
  readonly path: string;
  /** Maximum file size; a write beyond it fails with `ledger_full`. */
  readonly maxBytes: number;
  /** Gives the ledger a new epoch, after a known loss. */
  readonly newEpoch: boolean;
}

export interface OpenDatabase extends LedgerState {
  readonly database: DatabaseSync;
  readonly sql: Sql;
}

const BUSY_TIMEOUT_MS = 5_000;
const PAGE_BYTES = 4_096;
/** Hard limit of the WAL. The checkpoint runs earlier, between two commits: see `SqliteStore.settle`. */
const LONGEST_WAL_PAGES = 16_000;

/** Opens a connection; a test passes one whose disk fails. */
export type Connect = (path: string, options: { readonly timeout: number }) => DatabaseSync;

const connectSqlite: Connect = (path, options) => new DatabaseSync(path, options);

export function openDatabase(options: DatabaseOptions, connect = connectSqlite): OpenDatabase {
  makePrivate(options.path);
  const database = connect(options.path, { timeout: BUSY_TIMEOUT_MS });
  try {
    return prepareDatabase(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

export function prepareDatabase(
  database: DatabaseSync,
  { path, maxBytes, newEpoch }: DatabaseOptions,
): OpenDatabase {
  addRowCheck(database);
  const sql = createSql(database);
  const empty = refuseForeign(sql, path);
  if (empty && !newEpoch) refuseEmptied(path);
  if (!empty) refuseCut(sql, path);
  // Only an empty file takes it; `rewriteForVacuum` upgrades others.
  if (empty) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -16384;
    PRAGMA wal_autocheckpoint = ${LONGEST_WAL_PAGES};
    PRAGMA journal_size_limit = 67108864;
    PRAGMA max_page_count = ${Math.ceil(maxBytes / PAGE_BYTES)};
  `);
  confirmDurable({
    journal_mode: pragma(sql, 'journal_mode'),
    synchronous: pragma(sql, 'synchronous'),
    foreign_keys: pragma(sql, 'foreign_keys'),
  });
  migrate(database, sql, MIGRATIONS);
  // Writes the birth row to the file itself, so that it does not depend on the WAL.
  if (empty) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  refuseHeadless(sql, path);
  if (newEpoch) {
    sql.run('UPDATE birth SET epoch = ?', randomUUID());
    sql.run('UPDATE openings SET is_open = 0');
  }
  return { database, sql, ...stateOf(sql) };
}

/** Sets the dirty bit in the file itself. A full disk may refuse it: then reads still work. */
export function markOpen({ database, sql }: OpenDatabase): void {
  try {
    sql.run('UPDATE openings SET is_open = 1');
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // The next commit reports the disk.
  }
}

export function markClosed({ database, sql }: OpenDatabase): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
    sql.run('UPDATE openings SET is_open = 0');
  } catch {
    // As after a kill: the mark shows whether commits were lost.
  }
}

/** CHT-138: checks the settings that the store reports, not those that were requested. */
export function confirmDurable(settings: Row): void {
  const { journal_mode, synchronous, foreign_keys } = settings;
  if (journal_mode === 'wal' && synchronous === 2 && foreign_keys === 1) return;
  throw new LedgerError(
    'ledger_unsafe',
    `The store does not confirm full synchronous writes (journal_mode=${journal_mode}, synchronous=${synchronous}, foreign_keys=${foreign_keys}), so an accepted message could be lost. Put the ledger on a local disk.`,
  );
}

/** Forward only, each step with its version in one transaction: a crash in between leaves the step before. */
export function migrate(database: DatabaseSync, sql: Sql, migrations: readonly string[]): void {
  const there = pragma(sql, 'user_version');
  for (const [index, migration] of migrations.entries()) {
    if (index < Number(there)) continue;
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(migration);
      if (index === 0) {
        database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
        sql.run('INSERT INTO birth (id, epoch, commits) VALUES (1, ?, 0)', randomUUID());
      }
      database.exec(`PRAGMA user_version = ${index + 1}`);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** True when the file is empty; throws for a newer or foreign database. */
function refuseForeign(sql: Sql, path: string): boolean {
  const version = Number(pragma(sql, 'user_version'));
  if (version > MIGRATIONS.length) {
    throw new LedgerError(
      'ledger_newer',
      `The ledger ${path} has version ${version}; this program knows versions up to ${MIGRATIONS.length}. Start the newer program that wrote it.`,
    );
  }
  const empty = sql.one('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
  if (!empty && pragma(sql, 'application_id') !== APPLICATION_ID) {
    throw new LedgerError('ledger_invalid', `${path} is a database of another program. Give another path.`);
  }
  return empty;
}

function pragma(sql: Sql, name: string): SQLOutputValue {
  return sql.one(`PRAGMA ${name}`)?.[name] ?? null;
}
