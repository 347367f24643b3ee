import type { LedgerReport } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import { openPostgresLedger } from '../postgres/postgres-ledger.ts';
import { hex, integer, type Row, text } from '../rows/row.ts';
import { verifySqliteFile } from '../sqlite/verification.ts';
import { createPostgresTarget, openPostgresSource, refuseRunningNodes } from './postgres-side.ts';
import { type CopyProgress, copyRows } from './row-copy.ts';
import { createSqliteTarget, openSqliteSource, readSqlite } from './sqlite-side.ts';
import type { LedgerSource, Table } from './tables.ts';

export interface LedgerCopy {
  readonly epoch: string;
  readonly rows: Readonly<Record<Table, number>>;
}

export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location);

/**
 * Moves a ledger from a file to a database, or back: every row unchanged, under the same epoch, so that every
 * cursor stays valid. Neither may be in use. Checks the copy's hash chains and compares it with the source
 * before this resolves.
 */
export async function copyLedger(
  from: string,
  to: string,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<LedgerCopy> {
  if (isPostgresUrl(from)) await refuseRunningNodes(from);
  if (isPostgresUrl(to)) await refuseRunningNodes(to);
  const source = await (isPostgresUrl(from) ? openPostgresSource(from) : openSqliteSource(from));
  try {
    const target = isPostgresUrl(to) ? await createPostgresTarget(to) : createSqliteTarget(to);
    const rows = await copyRows(source, target, source.epoch, onProgress);
    await confirmCopy(source, to, rows);
    return { epoch: source.epoch, rows };
  } finally {
    await source.close();
  }
}

async function confirmCopy(source: LedgerSource, to: string, rows: Record<Table, number>): Promise<void> {
  const { sessions, events, damage } = await verifyLedger(to);
  const differs = (what: string): LedgerError =>
    new LedgerError(
      'ledger_damaged',
      `The copy differs from its source: ${what}. Delete it, and copy again.`,
    );
  if (damage !== undefined) throw differs(`${damage.where}: ${damage.problem}`);
  if (sessions !== rows.sessions || events !== rows.events) throw differs('rows are missing');
  const copy = isPostgresUrl(to) ? await openPostgresSource(to) : readSqlite(to);
  try {
    const heads = flat(copy.rows('sessions'));
    for await (const expected of flat(source.rows('sessions'))) {
      const { value: found } = await heads.next();
      if (found === undefined || headOf(found) !== headOf(expected)) {
        throw differs(`session ${text(expected, 'session_id')} ends otherwise`);
      }
    }
  } finally {
    await copy.close();
  }
}

/** Checks the hash chains of a ledger in a file or a database. */
export async function verifyLedger(location: string): Promise<LedgerReport> {
  if (!isPostgresUrl(location)) return verifySqliteFile(location);
  const ledger = await openPostgresLedger({ url: location, shards: 1, readers: 1 });
  return ledger.verify().finally(() => ledger.close());
}

const headOf = (row: Row): string =>
  [text(row, 'session_id'), integer(row, 'head'), hex(row, 'head_hash'), hex(row, 'base_hash')].join(' ');

async function* flat(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, undefined> {
  for await (const rows of pages) yield* rows;
  return undefined;
}
