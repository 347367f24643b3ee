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
  let written = 0;
  const commit = (size: number): void => {
    store.commitGroup(Array.from({ length: size }, () => [event('a', `e${written++}`)]));
  };
  for (let time = 0; time < 4; time += 1) {
    commit(50);
    store.settle();
  }
  expect(moved('events')).toBe(0);
  commit(50);
  expect(moved('events')).toBe(0);
  store.settle();
  expect(moved('events')).toBe(250);
  // Large commits are moved four at a time.
  for (let time = 0; time < 3; time += 1) {
    commit(100);
    store.settle();
  }
  expect(moved('events')).toBe(250);
  commit(100);
  store.settle();
  expect(moved('events')).toBe(650);
});
