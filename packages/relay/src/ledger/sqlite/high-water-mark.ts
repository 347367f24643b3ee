import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { LedgerError } from '../ledger-error.ts';

/**
 * Counts acknowledged commits in a file beside the ledger. SQLite ends its recovery silently at the first
 * unreadable WAL frame: a lost, cut or rotten WAL, or an old copy of the file, opens without the later
 * commits. The mark is written after each commit and not synced: after a power cut it may be behind the
 * ledger, never ahead, so a ledger behind its mark has lost commits.
 */
export interface HighWaterMark {
  readonly raise: (commits: number) => void;
  readonly close: () => void;
}

const WIDTH = 16;

export function openMark(path: string, epoch: string, commits: number): HighWaterMark {
  const file = `${path}.mark`;
  const mark = readMark(file);
  // A mark of another epoch belongs to a ledger that a backup has replaced.
  if (mark?.epoch === epoch && mark.commits > commits) throw behind(path, commits, mark.commits);
  const descriptor = openSync(file, existsSync(file) ? 'r+' : 'wx', 0o600);
  const raise = (value: number): void => {
    try {
      writeSync(descriptor, `${String(value).padStart(WIDTH, '0')} ${epoch}\n`, 0);
    } catch {
      // The commit is synced, and reporting a failure would repeat it. A mark that is behind is harmless.
    }
  };
  raise(commits);
  return { raise, close: () => closeSync(descriptor) };
}

/** An empty file is a new ledger, unless a mark shows an earlier one. */
export function refuseEmptied(path: string): void {
  const commits = readMark(`${path}.mark`)?.commits ?? 0;
  if (commits > 0) throw behind(path, 0, commits);
}

function behind(path: string, commits: number, acknowledged: number): LedgerError {
  return new LedgerError(
    'ledger_behind',
    `The ledger ${path} ends at commit ${commits}, but commit ${acknowledged} was acknowledged: it or its WAL was lost or damaged, or it is an old copy. Restore a backup, or open it with a new epoch to continue without the missing commits.`,
  );
}

/** A torn mark is ignored. */
function readMark(file: string): { readonly commits: number; readonly epoch: string } | undefined {
  const found = existsSync(file) ? /^(\d{16}) (\S+)\n$/.exec(readFileSync(file, 'utf8')) : null;
  const [, commits, epoch] = found ?? [];
  return commits === undefined || epoch === undefined ? undefined : { commits: Number(commits), epoch };
}
