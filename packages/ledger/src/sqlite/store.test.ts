import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { event, session } from '../../test/samples.ts';
import { ledgerFolder } from '../../test/sqlite/sqlite-harness.ts';
import { addRowCheck } from './row-check.ts';
import { SqliteStore } from './store.ts';
import { verifySqliteFile } from './verification.ts';

/** Rows in the file alone, without its WAL. */
function moved(path: string, table: 'sessions' | 'events'): number {
  const alone = `${path}.alone`;
  copyFileSync(path, alone);
  const database = new DatabaseSync(alone);
  addRowCheck(database);
  const count = database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'];
  database.close();
  return Number(count);
}

test('checkpoints after the first commit, and then for many together, on a separate thread', async () => {
  const folder = await ledgerFolder();
  const path = join(folder, 'ledger.db');
  const store = new SqliteStore({ path, maxBytes: 2 ** 30, newEpoch: false });
  onTestFinished(() => store.close());
  store.commitGroup([[session('a')]]);
  expect(moved(path, 'sessions')).toBe(0);
  store.checkpointIfDue();
  expect(moved(path, 'sessions')).toBe(1);
  let written = 0;
  const commit = (size: number): void => {
    store.commitGroup(Array.from({ length: size }, () => [event('a', `e${written++}`)]));
  };
  for (let time = 0; time < 9; time += 1) {
    commit(200);
    store.checkpointIfDue();
  }
  expect(moved(path, 'events')).toBe(0);
  commit(200);
  expect(moved(path, 'events')).toBe(0);
  store.checkpointIfDue();
  // The thread checkpoints; commits made during that are checkpointed after a later commit.
  await vi.waitFor(
    () => {
      commit(1);
      store.checkpointIfDue();
      expect(moved(path, 'events')).toBe(written);
    },
    { timeout: 20_000 },
  );
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: written });
  store.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: written });
});

test('checkpoints between two commits when the thread cannot run', async () => {
  const folder = join(await ledgerFolder(), 'there');
  const path = join(folder, 'ledger.db');
  const store = new SqliteStore({ path, maxBytes: 2 ** 30, newEpoch: false });
  onTestFinished(() => store.close());
  store.commitGroup([[session('a')]]);
  store.checkpointIfDue();
  // Open files stay open, and nothing new can be opened there.
  renameSync(folder, `${folder}-no-more`);
  const elsewhere = join(`${folder}-no-more`, 'ledger.db');
  let written = 0;
  await vi.waitFor(
    () => {
      store.commitGroup(Array.from({ length: 2_000 }, () => [event('a', `e${written++}`)]));
      store.checkpointIfDue();
      expect(moved(elsewhere, 'events')).toBe(written);
    },
    { timeout: 20_000, interval: 250 },
  );
  // SQLite checkpoints by itself when the WAL is very long.
  expect(written).toBeLessThan(60_000);
  renameSync(`${folder}-no-more`, folder);
});
