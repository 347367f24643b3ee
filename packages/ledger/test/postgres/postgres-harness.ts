import { randomUUID } from 'node:crypto';
import { startPostgres, type TestPostgres } from '@drawbridge/testbed';
import postgres from 'postgres';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import {
  openPostgresLedger,
  type PostgresLedger,
  type PostgresLedgerOptions,
} from '../../src/postgres/postgres-ledger.ts';

export interface PostgresHarness {
  readonly server: () => TestPostgres;
  /** The URL of an empty database. */
  readonly createDatabase: () => Promise<string>;
  /** A database with an empty ledger, reused because creating one takes longer than the tests. */
  readonly borrowLedger: () => Promise<{ readonly url: string; readonly giveBack: () => Promise<void> }>;
  /** The same, until the end of the test. */
  readonly ledgerUrl: () => Promise<string>;
}

/** One server for all the tests of a file. */
export function postgresHarness(settings: Readonly<Record<string, string>> = {}): PostgresHarness {
  let started: TestPostgres | undefined;
  const made: string[] = [];
  const spare: string[] = [];
  beforeAll(async () => {
    started = await startPostgres({ settings });
  }, 60_000);
  afterAll(async () => {
    if (started?.isOwn === false)
      for (const name of made) await runSql(started.url, `DROP DATABASE ${name} WITH (FORCE)`);
    await started?.close();
  });
  const server = (): TestPostgres => {
    if (started === undefined) throw new Error('PostgreSQL did not start.');
    return started;
  };
  const createDatabase = async () => {
    const name = `ledger_${randomUUID().replaceAll('-', '')}`;
    await runSql(server().url, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
    made.push(name);
    const url = new URL(server().url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const borrowLedger = async () => {
    const url = spare.pop() ?? (await createDatabase());
    const giveBack = async () => {
      await runSql(url, EMPTY);
      spare.push(url);
    };
    return { url, giveBack };
  };
  const ledgerUrl = async () => {
    const { url, giveBack } = await borrowLedger();
    onTestFinished(giveBack);
    return url;
  };
  return { server, createDatabase, borrowLedger, ledgerUrl };
}

/** DELETE, because TRUNCATE creates new files. */
const EMPTY = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'drawbridge'
    AND tablename !~ '_[0-9]+$' AND tablename NOT IN ('birth', 'migrations', 'lease')
  LOOP EXECUTE format('DELETE FROM drawbridge.%I', name); END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'drawbridge'
  LOOP EXECUTE format('ALTER SEQUENCE drawbridge.%I RESTART', name); END LOOP;
  UPDATE drawbridge.birth SET epoch = gen_random_uuid();
  UPDATE drawbridge.lease SET term = 0, node_id = NULL, ends_at = '-infinity';
END $$`;

/** Runs SQL beside the ledger, as an administrator or an attacker would. */
export async function runSql(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await client.unsafe(statement);
  } finally {
    await client.end();
  }
}

export async function openForTest(options: PostgresLedgerOptions): Promise<PostgresLedger> {
  const ledger = await openPostgresLedger(options);
  onTestFinished(() => ledger.close());
  return ledger;
}
