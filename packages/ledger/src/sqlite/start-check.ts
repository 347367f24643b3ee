import { existsSync, readFileSync, statSync } from 'node:fs';
import type { LedgerDamage } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import { hex, integer, type Row, text } from '../rows/row.ts';
import type { LedgerState } from './high-water-mark.ts';
import type { Sql } from './sql.ts';

/** https://sqlite.org/fileformat2.html#the_write_ahead_log */
const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/** Versions before the dirty bit are taken as closed. */
export function stateOf(sql: Sql): LedgerState {
  const birth = sql.one('SELECT epoch, commits FROM birth') ?? {};
  const wasOpen = hasDirtyBit(sql) && sql.one('SELECT is_open FROM openings')?.['is_open'] !== 0;
  return { epoch: text(birth, 'epoch'), commits: integer(birth, 'commits'), wasOpen };
}

const hasDirtyBit = ({ one }: Sql): boolean =>
  one("SELECT 1 FROM sqlite_schema WHERE name = 'openings'") !== undefined;

export function clearDirtyBit(sql: Sql): void {
  if (hasDirtyBit(sql)) sql.run('UPDATE openings SET is_open = 0');
}

export function refuseCut(sql: Sql, path: string): void {
  refuse(path, cutFile(sql, path));
}

export function refuseHeadless(sql: Sql, path: string): void {
  refuse(path, missingHead(sql));
}

function refuse(path: string, damage: LedgerDamage | undefined): void {
  if (damage === undefined) return;
  throw new LedgerError(
    'ledger_damaged',
    `The ledger ${path} is damaged: ${damage.where}: ${damage.problem}. Restore a backup, or save what is whole: drawbridge ledger repair.`,
  );
}

/**
 * SQLite takes the length from the WAL and reads missing pages as zeros, so a cut file opens. Every page beyond
 * its end must be in the WAL.
 */
function cutFile({ one }: Sql, path: string): LedgerDamage | undefined {
  const pages = integer(one('PRAGMA page_count') ?? {}, 'page_count');
  const pageBytes = integer(one('PRAGMA page_size') ?? {}, 'page_size');
  const stored = Math.floor(statSync(path).size / pageBytes);
  if (stored >= pages) return undefined;
  const inWal = pagesOfWal(`${path}-wal`, pageBytes);
  for (let page = stored + 1; page <= pages; page += 1) {
    if (!inWal.has(page)) return { where: 'the file', problem: `it ends at page ${stored} of ${pages}` };
  }
  return undefined;
}

function pagesOfWal(wal: string, pageBytes: number): ReadonlySet<number> {
  const bytes = existsSync(wal) ? readFileSync(wal) : Buffer.alloc(0);
  const pages = new Set<number>();
  for (let at = WAL_HEADER; at + FRAME_HEADER <= bytes.length; at += FRAME_HEADER + pageBytes)
    pages.add(bytes.readUInt32BE(at));
  return pages;
}

/** Two rows of each session: cheap enough for every start, and a large loss rarely spares all of them. */
function missingHead({ all, one }: Sql): LedgerDamage | undefined {
  for (const session of all('SELECT session, session_id, oldest, head, head_hash FROM sessions')) {
    const head = integer(session, 'head');
    if (integer(session, 'oldest') > head) continue;
    const last = one(
      'SELECT hash FROM events WHERE session = ? AND sequence = ?',
      integer(session, 'session'),
      head,
    );
    const problem = headProblem(session, last);
    if (problem === undefined) continue;
    const session_id = text(session, 'session_id');
    return { where: `event ${head} of session ${session_id}`, session_id, sequence: head, problem };
  }
  return undefined;
}

function headProblem(session: Row, last: Row | undefined): string | undefined {
  if (last === undefined) return 'it is missing, and the session ends there';
  return hex(session, 'head_hash') === hex(last, 'hash') ? undefined : 'the session ends with another hash';
}
