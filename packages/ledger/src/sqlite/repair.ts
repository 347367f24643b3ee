import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LedgerReport } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import { migrate } from './database.ts';
import { readMark } from './high-water-mark.ts';
import { lockLedger, makePrivate } from './ledger-folder.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowCheck } from './row-check.ts';
import { type Lost, salvage } from './salvage.ts';
import { createSql } from './sql.ts';
import { ledgerError } from './sqlite-error.ts';
import { stateOf } from './start-check.ts';
import { syncPath } from './sync-path.ts';
import { verifySqliteFile } from './verification.ts';

export interface LedgerRepair extends LedgerReport {
  /** The damaged file, as it was. */
  readonly kept: string;
  readonly epoch: string;
  readonly lost: readonly Lost[];
  /** Acknowledged commits that are in no file; null when their count is lost too. */
  readonly missingCommits: number | null;
}

/**
 * Saves what is whole into a new file with a new epoch, and keeps the damaged one beside it. Undefined when
 * nothing is damaged. Refuses a ledger that is in use, or of which nothing can be read.
 */
export function repairSqliteFile(path: string, now: number): LedgerRepair | undefined {
  const lock = lockLedger(path);
  const scratch = `${path}.salvage`;
  const draft = `${path}.part`;
  try {
    if (verifySqliteFile(path).damage === undefined) return undefined;
    const kept = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    for (const end of ['', '-wal', '-shm', '-journal']) {
      rmSync(`${scratch}${end}`, { force: true });
      rmSync(`${draft}${end}`, { force: true });
    }
    // Reading moves a WAL into its file, so only a copy is read.
    for (const end of ['', '-wal'])
      if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${scratch}${end}`);
    makePrivate(draft);
    const saved = save(scratch, draft, { kept, now, acknowledged: readMark(path)?.commits });
    const { damage, ...counted } = verifySqliteFile(draft);
    if (damage !== undefined)
      throw new LedgerError('ledger_damaged', `${NOTHING} (${damage.where}: ${damage.problem})`);
    replace(path, draft, kept);
    return { ...saved, ...counted, kept };
  } catch (error) {
    rmSync(draft, { force: true });
    throw ledgerError(error);
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${scratch}${end}`, { force: true });
    lock.close();
  }
}

const NOTHING = 'The ledger cannot be repaired and is unchanged. Restore a backup.';

interface Repair {
  readonly kept: string;
  readonly now: number;
  readonly acknowledged: number | undefined;
}

function save(from: string, to: string, { kept, now, acknowledged }: Repair) {
  const source = new DatabaseSync(from, { enableForeignKeyConstraints: false });
  const target = new DatabaseSync(to, { enableForeignKeyConstraints: false });
  addRowCheck(source);
  addRowCheck(target);
  try {
    // Opens a file that is shorter than it says, or whose schema is damaged in part.
    source.exec('PRAGMA writable_schema = ON');
    const [read, write] = [createSql(source), createSql(target)];
    if (!isReadable(() => read.one('SELECT 1 FROM sessions LIMIT 1')))
      throw new LedgerError('ledger_damaged', NOTHING);
    // No reader sees an unfinished file, so no rollback is needed.
    target.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
    migrate(target, write, MIGRATIONS);
    target.exec('BEGIN');
    const lost = salvage(source, target);
    let commits = 0;
    isReadable(() => {
      commits = stateOf(read).commits;
    });
    const missingCommits = acknowledged === undefined ? null : Math.max(0, acknowledged - commits);
    write.run('UPDATE birth SET commits = ?', Math.max(commits, acknowledged ?? 0));
    write.run(
      "INSERT INTO audit (at, device_id, action, subject, detail) VALUES (?, NULL, 'ledger_repaired', 'ledger', ?)",
      now,
      JSON.stringify({ kept, missing_commits: missingCommits, lost }),
    );
    target.exec('COMMIT');
    return { epoch: stateOf(write).epoch, lost, missingCommits };
  } finally {
    source.close();
    target.close();
  }
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** The old WAL goes first: SQLite would apply it to the new file. The mark goes last: until then it refuses an empty file. */
function replace(path: string, draft: string, kept: string): void {
  syncPath(draft);
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
  }
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`);
  rmSync(`${path}-shm`, { force: true });
  renameSync(draft, path);
  if (existsSync(`${path}.mark`)) renameSync(`${path}.mark`, `${kept}.mark`);
  syncPath(dirname(path));
}
