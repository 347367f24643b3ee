import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { event, launch, prompt, send, session, tabSession, task } from '../../test/samples.ts';
import { FailingDatabase } from '../../test/sqlite/failing-database.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { applyWrite } from './apply-write.ts';
import { createWriter } from './chains.ts';
import { migrate } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowCheck } from './row-check.ts';
import { createSql } from './sql.ts';

const FIRST_TABLES = ['sessions', 'events', 'messages', 'prompts', 'launches', 'audit'];

/** A ledger of an earlier version, with rows in each growing table. */
function makeOld(path: string, version: number): void {
  const now = `${path}.now`;
  fill(now);
  const database = new DatabaseSync(path);
  addRowCheck(database);
  database.exec('PRAGMA journal_mode = WAL');
  migrate(database, createSql(database), MIGRATIONS.slice(0, version));
  database.exec(`ATTACH '${now}' AS now`);
  for (const table of FIRST_TABLES) {
    const columns = columnsOf(database, table);
    database.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM now.${table}`);
  }
  database.close();
}

/** Columns that are not generated. */
function columnsOf(database: DatabaseSync, table: string): string {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all();
  return columns.map(({ name }) => name).join(', ');
}

function fill(path: string): void {
  const database = new DatabaseSync(path);
  addRowCheck(database);
  const sql = createSql(database);
  migrate(database, sql, MIGRATIONS);
  const writer = createWriter(sql);
  const entry = { at: 1, device_id: null, action: 'device_added' as const, subject: 'phone', detail: {} };
  for (const write of [
    session('a'),
    event('a', 'e1', { message_id: 'm' }),
    send('a', 'm1'),
    event('a', 'e2', { message_id: 'm1' }),
    prompt('a', 'p1'),
    launch('r1'),
    { do: 'audit', entry } as const,
  ]) {
    applyWrite(writer, write);
  }
  writer.chains.flush();
  database.close();
}

/** Contents in the columns of the first version. */
function contents(path: string): string {
  const first = new DatabaseSync(':memory:');
  addRowCheck(first);
  migrate(first, createSql(first), MIGRATIONS.slice(0, 1));
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = ['birth', ...FIRST_TABLES].map((table) =>
    database.prepare(`SELECT ${columnsOf(first, table)} FROM ${table}`).all(),
  );
  database.close();
  first.close();
  return JSON.stringify(rows);
}

function pragma(path: string, name: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare(`PRAGMA ${name}`).get();
  database.close();
  return found?.[name];
}

const version = (path: string): unknown => pragma(path, 'user_version');

test.each(MIGRATIONS.keys().drop(1).toArray())(
  'migrates a ledger of version %i with all its rows, and accepts new ones',
  async (old) => {
    const path = join(await ledgerFolder(), 'ledger.db');
    makeOld(path, old);
    const before = contents(path);
    const ledger = await openForTest({ path });
    expect([version(path), contents(path)]).toEqual([MIGRATIONS.length, before]);
    expect(await ledger.queuedMessages('proxy')).toMatchObject([{ client_message_id: 'm1' }]);
    const taken = await ledger.commit([event('a', 'e3'), task('a', 't1', 0), tabSession('a')]);
    expect(taken).toMatchObject({ committed: true, results: [{ sequence: 4 }, { revision: 1 }, null] });
    await ledger.commit([send('a', 'm2'), event('a', 'e4', { message_id: 'm2' })]);
    const transcript = async (before: number, limit: number) =>
      (await ledger.transcriptBefore('a', before, limit))?.events.map(({ event_id }) => event_id);
    expect(await transcript(99, 9)).toEqual(['e1', 'e2', 'e4']);
    expect(await transcript(99, 2)).toEqual(['e2', 'e4']);
    expect(await transcript(6, 9)).toEqual(['e1', 'e2']);
    for (const [message_id, event_id] of [
      ['m', 'e1'],
      ['m1', 'e2'],
      ['m2', 'e4'],
    ] as const) {
      expect(await ledger.latestOfMessage('a', message_id)).toMatchObject({ event_id });
    }
    expect(await ledger.queuedMessages('proxy')).toMatchObject([
      { client_message_id: 'm1' },
      { client_message_id: 'm2' },
    ]);
    expect(await ledger.verify()).toEqual({ sessions: 1, events: 6 });
    expect(pragma(path, 'auto_vacuum')).toBe(2);
  },
);

test('an upgrade whose disk fails at any point leaves the version before or after, and the next start continues', async () => {
  const folder = await ledgerFolder();
  const old = join(folder, 'old.db');
  makeOld(old, 1);
  const before = contents(old);
  const seen = new Set<unknown>();
  for (let from = 1; ; from += 1) {
    const path = join(folder, `${from}.db`);
    copyFileSync(old, path);
    const database = new FailingDatabase(path);
    addRowCheck(database);
    // The disk keeps failing, so that the rollback fails too.
    database.arm({ when: from % 2 === 0 ? 'after' : 'before', from, through: Number.MAX_SAFE_INTEGER });
    let failed = false;
    try {
      migrate(database, createSql(database), MIGRATIONS);
    } catch {
      failed = true;
    }
    database.close();
    seen.add(version(path));
    expect(contents(path)).toBe(before);
    const again = new DatabaseSync(path);
    addRowCheck(again);
    migrate(again, createSql(again), MIGRATIONS);
    again.close();
    expect([version(path), contents(path)]).toEqual([MIGRATIONS.length, before]);
    if (!failed) break;
  }
  expect(seen).toEqual(new Set(MIGRATIONS.keys().map((index) => index + 1)));
});

test('a kill in the middle of an upgrade leaves a ledger that the next start migrates whole', async () => {
  const folder = await ledgerFolder();
  const path = join(folder, 'ledger.db');
  makeOld(path, MIGRATIONS.length - 1);
  const before = contents(path);
  const copies: string[] = [];
  /** As after kill -9: a copy of the files at that moment. */
  const copyAs = (name: string): void => {
    copies.push(join(folder, name));
    for (const end of ['', '-wal']) {
      if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, join(folder, `${name}${end}`));
    }
  };
  class WatchedDatabase extends DatabaseSync {
    override exec(sql: string): void {
      if (sql === 'COMMIT') copyAs('before.db');
      super.exec(sql);
      if (sql === 'COMMIT') copyAs('after.db');
    }
  }
  const database = new WatchedDatabase(path);
  addRowCheck(database);
  // Spills pages to the WAL before the commit.
  database.exec('PRAGMA cache_size = 1');
  migrate(database, createSql(database), MIGRATIONS);
  database.close();
  expect(copies.map(version)).toEqual([MIGRATIONS.length - 1, MIGRATIONS.length]);
  for (const copy of copies) {
    expect(contents(copy)).toBe(before);
    const ledger = await openForTest({ path: copy });
    expect(await ledger.commit([task('a', 't1', 0)])).toMatchObject({ committed: true });
    expect(await ledger.verify()).toEqual({ sessions: 1, events: 3 });
  }
});
