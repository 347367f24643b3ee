import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Sql } from 'postgres';
import { LedgerError } from '../ledger-error.ts';

/**
 * One file per version, forward only; a released one is never changed. Version 4 made a function that only nodes of an
 * earlier release call, so it stays.
 */
export const MIGRATIONS: readonly string[] = [
  '1-tables.sql',
  '2-commits.sql',
  '3-lease.sql',
  '4-plain-batches.sql',
  '5-search.sql',
].map((name) => readFileSync(new URL(`./migrations/${name}`, import.meta.url), 'utf8'));

/** `DrBr`, as in the SQL files: the class of the advisory locks. */
const LOCKS = 0x44724272;
const MIGRATION_LOCK = 1;

/**
 * Applies all missing versions in one transaction, one node at a time: a crash in between changes nothing.
 */
export async function migrate(client: Sql, migrations = MIGRATIONS): Promise<void> {
  // A user without create rights can still open an up-to-date ledger.
  if ((await versionOf(client)) === migrations.length) return;
  await client.begin(async (sql) => {
    // Another node may be migrating a large ledger.
    await sql`SET LOCAL statement_timeout = 0`;
    await sql`SET LOCAL lock_timeout = 0`;
    await sql`SELECT pg_advisory_xact_lock(${LOCKS}, ${MIGRATION_LOCK})`;
    await sql`CREATE SCHEMA IF NOT EXISTS drawbridge`;
    await sql`CREATE TABLE IF NOT EXISTS migrations (
      version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now()
    )`;
    const [there] = await sql`SELECT coalesce(max(version), 0) AS version FROM migrations`;
    const version = Number(there?.['version']);
    if (version > migrations.length) {
      throw new LedgerError(
        'ledger_newer',
        `The ledger in this database has version ${version}; this program knows versions up to ${migrations.length}. Start the newer program that wrote it.`,
      );
    }
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      await sql.unsafe(migration).simple();
      if (index === 0) await sql`INSERT INTO birth VALUES (1, ${randomUUID()})`;
      await sql`INSERT INTO migrations (version) VALUES (${index + 1})`;
    }
  });
}

async function versionOf(client: Sql): Promise<number> {
  const [table] = await client`SELECT to_regclass('drawbridge.migrations') IS NOT NULL AS is_there`;
  if (table?.['is_there'] !== true) return 0;
  const [there] = await client`SELECT coalesce(max(version), 0) AS version FROM migrations`;
  return Number(there?.['version']);
}
