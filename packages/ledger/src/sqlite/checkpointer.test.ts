import { readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { event, session } from '../../test/samples.ts';
import { ledgerFolder } from '../../test/sqlite/sqlite-harness.ts';
import { createCheckpointer } from './checkpointer.ts';
import { SqliteStore } from './store.ts';
import { verifySqliteFile } from './verification.ts';

const LONG = { timeout: 20_000 };

/** Priorities of all threads of this process. */
function threadPriorities(): ReadonlyMap<string, number> {
  const priorities = new Map<string, number>();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      priorities.set(thread, getPriority(Number(thread)));
    } catch {
      // The thread has ended since.
    }
  }
  return priorities;
}

async function openBoth() {
  const path = join(await ledgerFolder(), 'ledger.db');
  const store = new SqliteStore({ path, maxBytes: 2 ** 30, newEpoch: false });
  const checkpointer = createCheckpointer(path);
  onTestFinished(() => {
    checkpointer.close();
    store.close();
  });
  return { path, store, checkpointer };
}

test('commits continue during repeated checkpoints, and all of them are there', async () => {
  const { path, store, checkpointer } = await openBoth();
  store.commitGroup([[session('a')]]);
  let written = 0;
  for (let times = 0; times < 20; times += 1) {
    expect(checkpointer.begin()).toBe(true);
    // Under way, or done and not polled: not started a second time.
    expect(checkpointer.begin()).toBe(true);
    await vi.waitFor(() => {
      store.commitGroup(Array.from({ length: 20 }, () => [event('a', `e${written++}`)]));
      expect(checkpointer.isThrough()).toBe(true);
    }, LONG);
    expect(checkpointer.isThrough()).toBe(false);
  }
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: written });
});

test.runIf(process.platform === 'linux')('lowers the priority of its thread, and of no other', async () => {
  const { checkpointer } = await openBoth();
  const back = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
  const before = threadPriorities();
  checkpointer.begin();
  await vi.waitFor(() => expect(checkpointer.isThrough()).toBe(true), LONG);
  // A checkpointer of another test may still be ending.
  const now = [...threadPriorities()];
  const stepped = now.filter(([thread, priority]) => priority === back && before.get(thread) !== back);
  expect(stepped).toHaveLength(1);
  expect(stepped.filter(([thread]) => before.has(thread))).toEqual([]);
});

test('a checkpointer that cannot open the file reports it the next time', async () => {
  const checkpointer = createCheckpointer(join(await ledgerFolder(), 'no-such-folder', 'ledger.db'));
  expect(checkpointer.begin()).toBe(true);
  await vi.waitFor(() => expect(checkpointer.begin()).toBe(false), LONG);
  expect(checkpointer.isThrough()).toBe(false);
  checkpointer.close();
});

test('closes without ever having started', async () => {
  const checkpointer = createCheckpointer(join(await ledgerFolder(), 'ledger.db'));
  expect(checkpointer.isThrough()).toBe(false);
  checkpointer.close();
});

test('leaves the file before it is closed, also in the middle of its work', async () => {
  const path = join(await ledgerFolder(), 'ledger.db');
  const store = new SqliteStore({ path, maxBytes: 2 ** 30, newEpoch: false });
  store.commitGroup([[session('a')]]);
  for (let part = 0; part < 20; part += 1)
    store.commitGroup(Array.from({ length: 100 }, (_, n) => [event('a', `e${part}-${n}`)]));
  const checkpointer = createCheckpointer(path);
  checkpointer.begin();
  checkpointer.close();
  store.close();
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: 2_000 });
});
