import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openSqliteLedger, type SqliteLedgerOptions } from '../../../src/ledger/sqlite/sqlite-ledger.ts';

/** A folder that is deleted after the test. */
export async function ledgerFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-ledger-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function openForTest(options: SqliteLedgerOptions): Promise<Ledger> {
  const ledger = await openSqliteLedger(options);
  onTestFinished(() => ledger.close());
  return ledger;
}
