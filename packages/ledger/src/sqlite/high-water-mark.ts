import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { LedgerError } from '../ledger-error.ts';
import { syncPath } from './sync-path.ts';

/**
 * Counts acknowledged commits in a file beside the ledger. SQLite ends its recovery silently at the first
 * unreadable WAL frame: a lost, cut or rotten WAL, or an old copy of the file, opens without the later
 * commits. The mark is written after each commit and not synced: after a power cut it may be behind the
 * ledger, never ahead, so a ledger behind its mark has lost commits.
 */
export type HighWaterMark = ReturnType<typeof openMark>;

const WIDTH = 16;

/** State of a ledger as its file has it. */
export interface LedgerState {
  readonly epoch: string;
  readonly commits: number;
  /** True when the last relay did not close it. */
  readonly wasOpen: boolean;
}

export function openMark(path: string, state: LedgerState) {
  const lost = lostCommits(path, readMark(path), state);
  if (lost !== undefined) throw new LedgerError('ledger_behind', `${lost} ${ADVICE}`);
  const file = `${path}.mark`;
  const isNew = !existsSync(file);
  const descriptor = openSync(file, isNew ? 'wx' : 'r+', 0o600);
  const raise = (value: number): void => {
    try {
      writeSync(descriptor, `${String(value).padStart(WIDTH, '0')} ${state.epoch}\n`, 0);
    } catch {
      // The commit is synced, and reporting a failure would repeat it. A mark that is behind is harmless.
    }
  };
  raise(state.commits);
  // A missing mark is evidence of a loss, so a power cut may not remove it.
  fsyncSync(descriptor);
  if (isNew) syncPath(dirname(path));
  return { raise, close: () => closeSync(descriptor) };
}

/** Says which acknowledged commits a ledger has lost; undefined when there is no sign of a loss. */
export function lostCommits(
  path: string,
  mark: Mark | undefined,
  { epoch, commits, wasOpen }: LedgerState,
): string | undefined {
  // A mark of another epoch belongs to a ledger that a backup has replaced.
  if (mark?.epoch === epoch && mark.commits > commits) return behind(path, commits, mark.commits);
  if (!wasOpen || mark?.epoch === epoch) return undefined;
  return `The ledger ${path} was not closed, and the file that counts its commits (${path}.mark) is gone: commits after ${commits} may be lost.`;
}

/** An empty file is a new ledger, unless a mark shows an earlier one. */
export function refuseEmptied(path: string): void {
  const commits = readMark(path)?.commits ?? 0;
  if (commits > 0) throw new LedgerError('ledger_behind', `${behind(path, 0, commits)} ${ADVICE}`);
}

const ADVICE =
  'Restore a backup, or continue without the missing commits: drawbridge ledger repair starts a new epoch.';

function behind(path: string, commits: number, acknowledged: number): string {
  return `The ledger ${path} ends at commit ${commits}, but commit ${acknowledged} was acknowledged: it or its WAL was lost or damaged, or it is an old copy.`;
}

export interface Mark {
  readonly commits: number;
  readonly epoch: string;
}

/** A torn mark is ignored. */
export function readMark(path: string): Mark | undefined {
  const file = `${path}.mark`;
  const found = existsSync(file) ? /^(\d{16}) (\S+)\n$/.exec(readFileSync(file, 'utf8')) : null;
  const [, commits, epoch] = found ?? [];
  return commits === undefined || epoch === undefined ? undefined : { commits: Number(commits), epoch };
}
