import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger.ts';
import { openSqliteLedger, type SqliteLedgerOptions } from '../../src/sqlite/sqlite-ledger.ts';

/** A folder that is deleted after the test. */
export async function ledgerFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-ledger-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** SQL that fills an empty file as a relay of this schema did. */
export const writtenBy = (schema: number): Promise<string> =>
  readFile(new URL(`./written-by-${schema}.sql`, import.meta.url), 'utf8');

export async function openForTest(options: SqliteLedgerOptions): Promise<Ledger> {
  const ledger = await openSqliteLedger(options);
  onTestFinished(() => ledger.close());
  return ledger;
}
