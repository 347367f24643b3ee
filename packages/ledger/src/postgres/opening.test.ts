import { createServer } from 'node:net';
import { listenOnLoopback } from '@drawbridge/testbed';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openForTest, postgresHarness, runSql } from '../../test/postgres/postgres-harness.ts';
import { event, session } from '../../test/samples.ts';
import { MIGRATIONS, migrate } from './migrations.ts';
import { confirmUsable } from './opening.ts';
import { openPostgresLedger } from './postgres-ledger.ts';

const harness = postgresHarness();

test('one of two that open an empty database at once creates the ledger, and both use it', async () => {
  const url = await harness.createDatabase();
  const ledgers = await Promise.all([1, 2, 3].map(() => openForTest({ url })));
  expect(new Set(ledgers.map(({ epoch }) => epoch)).size).toBe(1);
  const versions = await runSql(url, 'SELECT version FROM drawbridge.migrations ORDER BY version');
  expect(versions.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test('each version is reached from each earlier one, and a failed migration leaves the last', async () => {
  const url = await harness.createDatabase();
  const client = postgres(url, { max: 1, connection: { search_path: 'drawbridge' }, onnotice: () => {} });
  onTestFinished(() => client.end());
  for (let version = 1; version <= MIGRATIONS.length; version += 1) {
    await migrate(client, MIGRATIONS.slice(0, version));
    const broken = [...MIGRATIONS.slice(0, version), 'CREATE TABLE half (id integer); SELECT 1 / 0;'];
    await expect(migrate(client, broken)).rejects.toThrow(/division by zero/);
    const [row] = await runSql(url, 'SELECT max(version) AS version FROM drawbridge.migrations');
    expect(row).toEqual({ version });
  }
  expect((await runSql(url, "SELECT to_regclass('drawbridge.half') AS half"))[0]).toEqual({ half: null });
  const ledger = await openForTest({ url });
  expect(await ledger.commit([session('a'), event('a', 'e1')])).toMatchObject({ committed: true });
});

test('finds messages that version 4 has stored', async () => {
  const url = await harness.createDatabase();
  const before = await openPostgresLedger({ url });
  const payload = { message: { content: 'An old bridge' } };
  await before.commit([session('a'), event('a', 'e1', { message_id: 'm1', payload })]);
  await before.close();
  await runSql(url, 'DROP FUNCTION drawbridge.search_words CASCADE');
  await runSql(url, 'DELETE FROM drawbridge.migrations WHERE version = 5');
  const ledger = await openForTest({ url });
  expect((await ledger.search({ words: ['bridge'], limit: 9 })).hits).toMatchObject([{ event_id: 'e1' }]);
});

test('leaves a ledger of a newer program alone', async () => {
  const url = await harness.createDatabase();
  await (await openPostgresLedger({ url })).close();
  await runSql(url, `INSERT INTO drawbridge.migrations (version) VALUES (${MIGRATIONS.length + 1})`);
  await expect(openPostgresLedger({ url })).rejects.toMatchObject({ code: 'ledger_newer' });
});

test('[CHT-138] refuses a database that does not sync its commits, at the start and later', async () => {
  const url = await harness.createDatabase();
  const name = new URL(url).pathname.slice(1);
  const set = (value: string) => runSql(url, `ALTER DATABASE ${name} SET synchronous_commit = ${value}`);
  await set('off');
  await expect(openPostgresLedger({ url })).rejects.toMatchObject({
    code: 'ledger_unsafe',
    message: expect.stringContaining('synchronous_commit=off'),
  });
  await set('on');
  const ledger = await openForTest({ url });
  await ledger.commit([session('a')]);
  await set('off');
  // A new connection has the new setting. On an existing one the outcome would be unknown.
  await runSql(
    url,
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'drawbridge'",
  );
  await expect(ledger.commit([event('a', 'e1')])).rejects.toMatchObject({ code: 'ledger_unsafe' });
  await set('on');
});

test('names every setting that loses data', () => {
  const good = {
    version: 150_018,
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    fsync: 'on',
    full_page_writes: 'on',
  };
  expect(() => confirmUsable(good)).not.toThrow();
  expect(() => confirmUsable({ ...good, synchronous_commit: 'remote_apply' })).not.toThrow();
  for (const bad of [
    { fsync: 'off' },
    { full_page_writes: 'off' },
    { synchronous_commit: 'local' },
    { server_encoding: 'LATIN1' },
    { version: 140_000 },
  ]) {
    expect(() => confirmUsable({ ...good, ...bad })).toThrow();
  }
});

test('reports a missing database within a bounded time', async () => {
  const missing = new URL(harness.server().url);
  missing.pathname = '/nowhere';
  await expect(openPostgresLedger({ url: missing.href })).rejects.toMatchObject({ code: 'ledger_io' });
  const silent = createServer();
  const port = await listenOnLoopback(silent);
  onTestFinished(() => void silent.close());
  const url = `postgres://drawbridge@127.0.0.1:${port}/x`;
  const opening = openPostgresLedger({ url, connectWithinMs: 200, answerWithinMs: 500 });
  await expect(opening).rejects.toMatchObject({ code: 'ledger_unreachable' });
});
