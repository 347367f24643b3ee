import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { event, session } from '../samples.suite.ts';
import { ledgerFolder } from './ground.suite.ts';
import { addRowCheck } from './row-check.ts';
import { SqliteStore } from './store.ts';

test('the WAL is moved into the file after the first commit, and then once for many, between two commits', async () => {
  const folder = await ledgerFolder();
  const path = join(folder, 'ledger.db');
  const store = new SqliteStore({ path, maxBytes: 2 ** 30, newEpoch: false });
  onTestFinished(() => store.close());
  /** In the file by itself, without its WAL. */
  const moved = (table: 'sessions' | 'events'): number => {
    const alone = join(folder, 'alone.db');
    copyFileSync(path, alone);
    const database = new DatabaseSync(alone);
    addRowCheck(database);
    const count = database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'];
    database.close();
    return Number(count);
  };
  store.commitGroup([[session('a')]]);
  expect(moved('sessions')).toBe(0);
  store.settle();
  expect(moved('sessions')).toBe(1);
  const some = (from: number) => Array.from({ length: 200 }, (_, n) => [event('a', `e${from + n}`)]);
  store.commitGroup(some(0));
  store.settle();
  expect(moved('events')).toBe(0);
  store.commitGroup(some(200));
  expect(moved('events')).toBe(0);
  store.settle();
  expect(moved('events')).toBe(400);
});
