import { copyFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { event, send, session } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { confirmDurable, migrate, prepareDatabase } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowCheck, CHECKED_COLUMNS } from './row-check.ts';
import { createSql } from './sql.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';
import { verifySqliteFile } from './verification.ts';

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe('opening', () => {
  test('[CHT-138] refuses a store that does not confirm WAL and full synchronous writes', async () => {
    const good = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };
    expect(() => confirmDurable(good)).not.toThrow();
    for (const bad of [
      { journal_mode: 'delete' },
      { synchronous: 1 },
      { synchronous: 0 },
      { foreign_keys: 0 },
    ]) {
      expect(() => confirmDurable({ ...good, ...bad })).toThrow('does not confirm');
    }
  });

  test('[CHT-138] trusts only the reported settings: refuses an in-memory store', () => {
    const database = new DatabaseSync(':memory:');
    const options = { path: ':memory:', maxBytes: 1_000_000, newEpoch: false };
    expect(() => prepareDatabase(database, options)).toThrow('journal_mode=memory, synchronous=2');
    database.close();
  });

  test('a new folder and each file in it are for their owner alone', async () => {
    const folder = join(await ledgerFolder(), 'deep', 'ledger');
    const ledger = await openForTest({ path: join(folder, 'ledger.db') });
    await ledger.commit([session('a')]);
    await ledger.backup(join(folder, 'copy.db'));
    expect(await mode(folder)).toBe('700');
    const files = await readdir(folder);
    expect(files).toEqual(
      expect.arrayContaining(['copy.db', 'ledger.db', 'ledger.db-wal', 'ledger.db.mark']),
    );
    for (const file of files) expect([file, await mode(join(folder, file))]).toEqual([file, '600']);
  });

  test('refuses to open a ledger twice, and opens it after it was closed', async () => {
    const path = join(await ledgerFolder(), 'ledger.db');
    const first = await openForTest({ path });
    await expect(openSqliteLedger({ path })).rejects.toMatchObject({ code: 'ledger_locked' });
    expect(await first.commit([session('a')])).toMatchObject({ committed: true });
    await first.close();
    expect(await (await openForTest({ path })).session('a')).toBeDefined();
  });

  test('refuses a ledger of a newer program, and leaves it alone', async () => {
    const path = join(await ledgerFolder(), 'ledger.db');
    await (await openForTest({ path })).close();
    const newer = new DatabaseSync(path);
    newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    newer.close();
    await expect(openSqliteLedger({ path })).rejects.toMatchObject({ code: 'ledger_newer' });
  });

  test('refuses a database of another program and a file that is none', async () => {
    const folder = await ledgerFolder();
    const foreign = new DatabaseSync(join(folder, 'foreign.db'));
    foreign.exec('CREATE TABLE notes (id)');
    foreign.close();
    await writeFile(join(folder, 'text.db'), 'not a database at all, '.repeat(99));
    const opened = ['foreign.db', 'text.db'].map((name) => openSqliteLedger({ path: join(folder, name) }));
    const codes = (await Promise.allSettled(opened)).map(
      (each) => each.status === 'rejected' && each.reason.code,
    );
    expect(codes).toEqual(['ledger_invalid', 'ledger_damaged']);
  });

  test('a failed migration leaves the version before it, and the next start repeats it', async () => {
    const database = new DatabaseSync(join(await ledgerFolder(), 'ledger.db'));
    addRowCheck(database);
    const sql = createSql(database);
    const half = 'CREATE TABLE extra (id INTEGER) STRICT; CREATE TABLE sessions (id INTEGER) STRICT;';
    expect(() => migrate(database, sql, [...MIGRATIONS, half])).toThrow('already exists');
    const version = () => database.prepare('PRAGMA user_version').get();
    expect(version()).toEqual({ user_version: MIGRATIONS.length });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'extra'").get()).toBeUndefined();
    migrate(database, sql, [...MIGRATIONS, 'CREATE TABLE extra (id INTEGER) STRICT;']);
    expect(version()).toEqual({ user_version: MIGRATIONS.length + 1 });
    database.close();
  });

  test('each table except the chained one has a check over all its columns, except those that another row repeats', async () => {
    const path = join(await ledgerFolder(), 'ledger.db');
    await openForTest({ path });
    const reader = new DatabaseSync(path, { readOnly: true });
    const tables = reader
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'events'",
      )
      .all()
      .map(({ name }) => String(name));
    const columns = (table: string) =>
      reader.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'for_proxy'`).all();
    const found = tables.map((table) => [
      table,
      columns(table)
        .map(({ name }) => name)
        .join(', '),
    ]);
    reader.close();
    expect(Object.fromEntries(found)).toEqual(CHECKED_COLUMNS);
  });
});

test('refuses a file cut in half whose WAL hides it', async () => {
  const folder = await ledgerFolder();
  const path = join(folder, 'ledger.db');
  const ledger = await openForTest({ path });
  await ledger.commit([session('a')]);
  for (let n = 0; n < 60; n += 1)
    await ledger.commit([event('a', `e${n}`, { payload: { text: 'x'.repeat(2_000) } })]);
  await ledger.close();
  const again = await openForTest({ path });
  await again.commit([session('b'), event('b', 'later')]);
  const cut = join(folder, 'cut.db');
  for (const end of ['', '-wal', '.mark']) await copyFile(`${path}${end}`, `${cut}${end}`);
  await truncate(cut, Math.floor((await stat(cut)).size / 8_192) * 4_096);
  await expect(openSqliteLedger({ path: cut })).rejects.toMatchObject({
    code: 'ledger_damaged',
    message: expect.stringContaining('drawbridge ledger repair'),
  });
  expect(verifySqliteFile(cut).damage).toBeDefined();
});

describe('a ledger that has lost acknowledged commits', () => {
  async function killedLedger() {
    const folder = await ledgerFolder();
    const path = join(folder, 'ledger.db');
    const ledger = await openForTest({ path });
    await ledger.commit([session('a')]);
    for (let n = 0; n < 5; n += 1) await ledger.commit([event('a', `e${n}`), send('a', `m${n}`)]);
    // As after kill -9: a copy of the files while the ledger runs.
    const killed = join(folder, 'killed.db');
    for (const end of ['', '-wal', '.mark']) await copyFile(`${path}${end}`, `${killed}${end}`);
    return { killed, epoch: ledger.epoch };
  }

  test('opens the files of a killed process unchanged', async () => {
    const { killed, epoch } = await killedLedger();
    const ledger = await openForTest({ path: killed });
    expect(ledger.epoch).toBe(epoch);
    expect(await ledger.session('a')).toMatchObject({ head: 10 });
  });

  test.each([
    ['deleted', (wal: string) => rm(wal)],
    [
      'emptied, and the file with it',
      async (wal: string) => {
        await truncate(wal);
        await truncate(wal.replace('-wal', ''));
      },
    ],
    ['cut', async (wal: string) => truncate(wal, (await stat(wal)).size - 5_000)],
  ])('detects a WAL that was %s, and continues only with a new epoch', async (_how, harm) => {
    const { killed, epoch } = await killedLedger();
    await harm(`${killed}-wal`);
    await expect(openSqliteLedger({ path: killed })).rejects.toMatchObject({ code: 'ledger_behind' });
    const ledger = await openForTest({ path: killed, newEpoch: true });
    expect(ledger.epoch).not.toBe(epoch);
    expect((await ledger.verify()).damage).toBeUndefined();
    await ledger.close();
    expect((await openForTest({ path: killed })).epoch).toBe(ledger.epoch);
  });
});
