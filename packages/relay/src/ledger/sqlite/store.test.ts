import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { event, session } from '../samples.suite.ts';
import { ledgerFolder } from './ground.suite.ts';
import { addRowCheck } from './row-check.ts';
import { SqliteStore } from './store.ts';
import { verifySqliteFile } from './verification.ts';

test('the WAL is moved into the file after the first commit, and then for many together, by a thread of its own', async () => {
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
  for (let time = 0; time < 9; time += 1) {
    commit(200);
    store.settle();
  }
  expect(moved('events')).toBe(0);
  commit(200);
  expect(moved('events')).toBe(0);
  store.settle();
  // By its own thread, and what was committed meanwhile after a commit that comes later.
  await vi.waitFor(
    () => {
      commit(1);
      store.settle();
      expect(moved('events')).toBe(written);
    },
    { timeout: 20_000 },
  );
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: written });
  store.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: written });
});
