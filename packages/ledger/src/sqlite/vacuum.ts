import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { integer } from '../rows/row.ts';
import { makePrivate } from './ledger-folder.ts';
import { createSql, type Sql } from './sql.ts';
import { syncPath } from './sync-path.ts';

/** https://sqlite.org/pragma.html#pragma_auto_vacuum */
const INCREMENTAL = 2;
/** Bounds the time that a commit waits. */
const STEP_PAGES = 64;
/** Free pages that stay for the next rows. */
const KEPT_PAGES = 256;
const ROOM = 1.2;

/** Moves some pages from the file's end into free ones; true when there is more to return. */
export function returnPages(database: DatabaseSync, sql: Sql): boolean {
  if (!canReturn(sql) || freePages(sql) <= KEPT_PAGES) return false;
  database.exec(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
  return freePages(sql) > KEPT_PAGES;
}

const freePages = ({ one }: Sql): number => integer(one('PRAGMA freelist_count') ?? {}, 'freelist_count');

const canReturn = ({ one }: Sql): boolean => one('PRAGMA auto_vacuum')?.['auto_vacuum'] === INCREMENTAL;

/**
 * Rewrites a file of an older version, whose pages cannot be returned, and closes the database. A crash leaves
 * the old file or the new one. Returns false, with the database open, when the disk has no room for the copy.
 */
export function rewriteForVacuum(
  database: DatabaseSync,
  path: string,
  onStart: (rewriting: { readonly draft: string; readonly bytes: number }) => void,
): boolean {
  const sql = createSql(database);
  if (canReturn(sql)) return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  const pages = integer(sql.one('PRAGMA page_count') ?? {}, 'page_count');
  const bytes = pages * integer(sql.one('PRAGMA page_size') ?? {}, 'page_size');
  if (bavail * bsize < bytes * ROOM) return false;
  const draft = `${path}.part`;
  rmSync(draft, { force: true });
  makePrivate(draft);
  onStart({ draft, bytes });
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA auto_vacuum = INCREMENTAL');
    database.prepare('VACUUM INTO ?').run(draft);
    syncPath(draft);
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
  database.close();
  // Another program reads the old file and its WAL: the next start tries again.
  if (existsSync(`${path}-wal`) || existsSync(`${path}-shm`) || statSync(draft).size === 0)
    rmSync(draft, { force: true });
  else renameSync(draft, path);
  syncPath(dirname(path));
  return true;
}
