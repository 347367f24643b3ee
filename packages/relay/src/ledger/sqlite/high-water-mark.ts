import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { LedgerError } from '../ledger-error.ts';

/**
 * How many commits were acknowledged, in a file beside the ledger. SQLite ends its recovery at the first frame of
 * the WAL that it cannot read, and says nothing: a lost, cut or rotten WAL, or an old copy of the file, opens as if
 * the later commits had never been. The mark is written after each commit and not synced: after a power cut it
 * may be behind the ledger, never ahead of it, so a ledger that is behind its mark has lost something.
 */
export interface HighWaterMark {
  readonly raise: (commits: number) => void;
  readonly close: () => void;
}

const WIDTH = 16;

export function openMark(path: string, epoch: string, commits: number): HighWaterMark {
  const file = `${path}.mark`;
  const mark = readMark(file);
  // A mark of another epoch is of the ledger that a backup has replaced.
  if (mark?.epoch === epoch && mark.commits > commits) throw behind(path, commits, mark.commits);
  const descriptor = openSync(file, existsSync(file) ? 'r+' : 'wx', 0o600);
  const raise = (value: number): void => {
    try {
      writeSync(descriptor, `${String(value).padStart(WIDTH, '0')} ${epoch}\n`, 0);
    } catch {
      // The commit is on the disk, and to call it failed would have it made twice. A mark that is behind is harmless.
    }
  };
  raise(commits);
  return { raise, close: () => closeSync(descriptor) };
}

/** A file that holds nothing is a new ledger, unless there was one. */
export function refuseEmptied(path: string): void {
  const commits = readMark(`${path}.mark`)?.commits ?? 0;
  if (commits > 0) throw behind(path, 0, commits);
}

function behind(path: string, commits: number, acknowledged: number): LedgerError {
  return new LedgerError(
    'ledger_behind',
    `The ledger ${path} ends at commit ${commits}, but commit ${acknowledged} was acknowledged: it or its WAL was lost or damaged, or it is an old copy. Restore a backup, or open it with a new epoch to go on without what is missing.`,
  );
}

/** One that is torn says nothing. */
function readMark(file: string): { readonly commits: number; readonly epoch: string } | undefined {
  const found = existsSync(file) ? /^(\d{16}) (\S+)\n$/.exec(readFileSync(file, 'utf8')) : null;
  const [, commits, epoch] = found ?? [];
  return commits === undefined || epoch === undefined ? undefined : { commits: Number(commits), epoch };
}
