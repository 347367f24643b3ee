import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ledger-error.ts';
import { makePrivate } from './ledger-folder.ts';
import { addRowCheck } from './row-check.ts';
import { createSql } from './sql.ts';
import { ledgerError } from './sqlite-error.ts';
import { clearDirtyBit } from './start-check.ts';
import { syncPath } from './sync-path.ts';

/**
 * A copy diverges from its ledger: the same sequence can come to mean two events. So it gets a new epoch, and
 * a browser with a cursor of ours is sent a snapshot. The file is renamed to its final name only once it is
 * whole and synced.
 */
export function backUp(ledger: string, path: string): void {
  if (existsSync(path)) {
    throw new LedgerError('ledger_invalid', `${path} exists. A backup never overwrites: give another name.`);
  }
  const draft = `${path}.part`;
  rmSync(draft, { force: true });
  try {
    makePrivate(draft);
    copy(ledger, draft);
    const database = new DatabaseSync(draft);
    addRowCheck(database);
    try {
      database.prepare('UPDATE birth SET epoch = ?').run(randomUUID());
      clearDirtyBit(createSql(database));
    } finally {
      database.close();
    }
    syncPath(draft);
    renameSync(draft, path);
    syncPath(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw ledgerError(error);
  }
}

/** One snapshot, read beside the writer. */
function copy(ledger: string, draft: string): void {
  const source = new DatabaseSync(ledger, { readOnly: true, timeout: 5_000 });
  addRowCheck(source);
  try {
    source.prepare('VACUUM INTO ?').run(draft);
  } finally {
    source.close();
  }
}
