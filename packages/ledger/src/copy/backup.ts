import { randomUUID } from 'node:crypto';
import { openPostgresSource } from './postgres-side.ts';
import { copyRows } from './row-copy.ts';
import { createSqliteTarget } from './sqlite-side.ts';
import type { LedgerSource } from './tables.ts';

/**
 * Writes one snapshot of a database's ledger to a new file, with a new epoch, because it diverges from there.
 */
export async function backUpDatabase(url: string, path: string): Promise<void> {
  const target = createSqliteTarget(path);
  let source: LedgerSource;
  try {
    source = await openPostgresSource(url);
  } catch (error) {
    await target.close();
    throw error;
  }
  try {
    await copyRows(source, target, randomUUID(), () => {});
  } finally {
    await source.close();
  }
}
