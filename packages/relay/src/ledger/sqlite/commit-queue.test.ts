import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { event, send, session } from '../samples.suite.ts';
import { createCommitQueue } from './commit-queue.ts';
import { ledgerFolder, openForTest } from './ground.suite.ts';
import type { Transaction } from './store.ts';

const LIMITS = { maxGroup: 4, maxWaiting: 6 };

describe('group commit', () => {
  test('[CHT-139] what comes while a commit is under way shares the next one', async () => {
    const groups: number[] = [];
    let release = () => {};
    const queue = createCommitQueue(async (group) => {
      groups.push(group.length);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return group.map(() => ({ committed: true, results: [] }));
    }, LIMITS);
    const first = queue.add([]);
    await expect.poll(() => groups).toEqual([1]);
    const others = [queue.add([]), queue.add([]), queue.add([])];
    release();
    await first;
    await expect.poll(() => groups).toEqual([1, 3]);
    release();
    await Promise.all(others);
    await queue.idle();
  });

  test('a full group is handed over while another is under way, and no third; all before any outcome is acted on', async () => {
    const groups: number[] = [];
    const release: (() => void)[] = [];
    const queue = createCommitQueue(async (group) => {
      groups.push(group.length);
      await new Promise<void>((resolve) => release.push(resolve));
      return group.map(() => ({ committed: true, results: [] }));
    }, LIMITS);
    const seen: (readonly number[])[] = [];
    const add = () => queue.add([]).then(() => seen.push([...groups]));
    const first = add();
    await expect.poll(() => groups).toEqual([1]);
    const second = Array.from({ length: 4 }, add);
    await expect.poll(() => groups).toEqual([1, 4]);
    const third = Array.from({ length: 4 }, add);
    release.shift()?.();
    await first;
    expect(seen).toEqual([[1, 4, 4]]);
    for (const each of release) each();
    await Promise.all([...second, ...third]);
    await queue.idle();
    expect(groups).toEqual([1, 4, 4]);
  });

  test('[CHT-139] where many ask, the next commit waits for more; who asks alone never does', async () => {
    const groups: number[] = [];
    const alarms: { readonly ms: number; readonly run: () => void }[] = [];
    let now = 0;
    const clock = { now: () => now, after: (ms: number, run: () => void) => alarms.push({ ms, run }) };
    const commit = async (group: readonly Transaction[]) => {
      groups.push(group.length);
      return group.map(() => ({ committed: true as const, results: [] }));
    };
    const queue = createCommitQueue(commit, { maxGroup: 8, maxWaiting: 20 }, clock);
    await queue.add([]);
    await queue.add([]);
    expect({ groups, alarms }).toEqual({ groups: [1, 1], alarms: [] });
    const many = () => Array.from({ length: 4 }, () => queue.add([]));
    await Promise.all(many());
    now = 1;
    const next = many();
    expect(alarms).toMatchObject([{ ms: 2 }]);
    now = 3;
    alarms[0]?.run();
    await Promise.all(next);
    now = 10;
    await queue.add([]);
    expect({ groups, alarms: alarms.length }).toEqual({ groups: [1, 1, 4, 4, 1], alarms: 1 });
  });

  test('a read sees what was asked for before it', async () => {
    const ledger = await openForTest({ path: join(await ledgerFolder(), 'ledger.db') });
    const made = ledger.commit([session('a')]);
    expect(await ledger.session('a')).toMatchObject({ session_id: 'a' });
    await made;
  });

  test('a group has a limit, and so has what may wait', async () => {
    const groups: number[] = [];
    const queue = createCommitQueue(async (group: readonly Transaction[]) => {
      groups.push(group.length);
      return group.map(() => ({ committed: true, results: [] }));
    }, LIMITS);
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => queue.add([])));
    expect(groups).toEqual([4, 2]);
    expect(asked.map((each) => each.status === 'rejected' && each.reason.code)).toEqual([
      ...Array.from({ length: 6 }, () => false),
      'ledger_busy',
      'ledger_busy',
    ]);
  });

  test('a thread that fails fails those that it had, and the queue goes on', async () => {
    let calls = 0;
    const queue = createCommitQueue(async (group) => {
      calls += 1;
      if (calls === 1) throw new Error('gone');
      return group.map(() => ({ committed: true, results: [] }));
    }, LIMITS);
    await expect(queue.add([])).rejects.toThrow('gone');
    expect(await queue.add([])).toMatchObject({ committed: true });
  });

  test('[CHT-139] sends that arrive together are one commit, and one that is refused takes none with it', async () => {
    const path = join(await ledgerFolder(), 'ledger.db');
    const ledger = await openForTest({ path });
    await ledger.commit([session('a'), send('a', 'm0')]);
    const reader = new DatabaseSync(path, { readOnly: true });
    const commits = () => Number(reader.prepare('SELECT commits FROM birth').get()?.['commits']);
    const before = commits();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => ledger.commit([send('a', n % 10 === 0 ? 'm0' : `m${n}`)])),
    );
    expect(commits()).toBe(before + 1);
    expect(outcomes.filter(({ committed }) => committed)).toHaveLength(90);
    const sequences = outcomes.flatMap((each) =>
      each.committed ? each.results.map(({ sequence }) => sequence) : [],
    );
    expect(sequences).toEqual(Array.from({ length: 90 }, (_, n) => n + 2));
    const late = await Promise.all([
      ledger.commit([send('a', 'before')]),
      ledger.commit([event('a', 'undone'), session('b'), event('b', 'undone too'), send('a', 'm0')]),
      ledger.commit([send('a', 'after'), event('a', 'last')]),
      ledger.commit([event('b', 'nowhere yet')]),
    ]);
    expect(late).toMatchObject([
      { results: [{ sequence: 92 }] },
      { committed: false, at: 3, refusal: { reason: 'message_repeated' } },
      { results: [{ sequence: 93 }, { sequence: 94 }] },
      { committed: false, at: 0, refusal: { reason: 'session_unknown' } },
    ]);
    expect(commits()).toBe(before + 2);
    expect((await ledger.verify()).damage).toBeUndefined();
    const refusedAlone = await ledger.commit([event('nowhere', 'e')]);
    expect(refusedAlone.committed).toBe(false);
    expect(commits()).toBe(before + 2);
    reader.close();
  });
});
