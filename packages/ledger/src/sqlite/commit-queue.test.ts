import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { event, send, session } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { MOST_PASSED } from '../people-first.ts';
import type { Write } from '../writes.ts';
import { createCommitQueue } from './commit-queue.ts';
import { packWrites } from './packed-write.ts';
import type { Transaction } from './store.ts';

const LIMITS = { maxGroup: 4, maxWaiting: 6 };

describe('group commit', () => {
  test('[CHT-139] transactions that come during a commit share the next one', async () => {
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

  test('a full group is sent while another is under way, and no third; all before any outcome is handled', async () => {
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

  test('[CHT-139] under load the next commit waits for more; a single caller never waits', async () => {
    const groups: number[] = [];
    const alarms: { readonly ms: number; readonly run: () => void }[] = [];
    let now = 0;
    const after = (ms: number, run: () => void) => {
      alarms.push({ ms, run });
      return () => {};
    };
    const clock = { now: () => now, after };
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

  test('a read sees every earlier commit', async () => {
    const ledger = await openForTest({ path: join(await ledgerFolder(), 'ledger.db') });
    const made = ledger.commit([session('a')]);
    expect(await ledger.session('a')).toMatchObject({ session_id: 'a' });
    await made;
  });

  test('limits a group and the queue, and reserves the last places for people', async () => {
    const groups: number[] = [];
    const queue = createCommitQueue(async (group: readonly Transaction[]) => {
      groups.push(group.length);
      return group.map(() => ({ committed: true, results: [] }));
    }, LIMITS);
    const agents = Array.from({ length: 6 }, () => queue.add([]));
    const people = ['m1', 'm2'].map((id) => queue.add(packWrites([send('a', id)])));
    const asked = await Promise.allSettled([...agents, ...people]);
    expect(groups).toEqual([4, 2]);
    expect(asked.map((each) => each.status === 'rejected' && each.reason.code)).toEqual([
      ...Array.from({ length: 5 }, () => false),
      ...['ledger_busy', false, 'ledger_busy'],
    ]);
  });

  /** A queue whose first commit waits, and the first writes of each later group. */
  const heldQueue = () => {
    const groups: string[][] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const nameOf = ([write]: Transaction): string => {
      if (write?.do === 'append_event') return write.event_id;
      return write?.do === 'accept_message' ? write.client_message_id : 'other';
    };
    const queue = createCommitQueue(
      async (group: readonly Transaction[]) => {
        groups.push(group.map(nameOf));
        if (groups.length === 1) await held;
        return group.map(() => ({ committed: true, results: [] }));
      },
      { maxGroup: 4, maxWaiting: 10_000 },
      { now: () => 0, after: () => () => {} },
    );
    const add = (write: Write) => queue.add(packWrites([write]));
    return { queue, groups, add, release };
  };

  test("people's sends go before waiting writes of agents, but not before those of the same session", async () => {
    const { queue, groups, add, release } = heldQueue();
    const first = add(event('x', 'first'));
    await expect.poll(() => groups.length).toBe(1);
    const agents = Array.from({ length: 20 }, (_, n) => add(event('agents', `e${n}`)));
    const people = [add(send('people', 'm1')), add(send('agents', 'm2')), add(send('people', 'm3'))];
    release();
    await Promise.all([first, ...agents, ...people]);
    await queue.idle();
    const order = groups.flat();
    expect(order.indexOf('m1')).toBeLessThan(order.indexOf('e8'));
    expect(order.indexOf('m3')).toBeGreaterThan(order.indexOf('m1'));
    expect(order.indexOf('m2')).toBeGreaterThan(order.indexOf('e19'));
  });

  test('a write that many people have passed keeps its position', async () => {
    const { queue, groups, add, release } = heldQueue();
    const first = add(event('x', 'first'));
    await expect.poll(() => groups.length).toBe(1);
    const agents = Array.from({ length: 12 }, (_, n) => add(event('agents', `e${n}`)));
    const people = Array.from({ length: 2 * MOST_PASSED }, (_, n) => add(send('people', `m${n}`)));
    release();
    await Promise.all([first, ...agents, ...people]);
    await queue.idle();
    const order = groups.flat();
    expect(order.indexOf('e11')).toBeLessThan(order.indexOf(`m${2 * MOST_PASSED - 1}`));
  });

  test('limits the characters of a group, so that a send does not wait for megabytes', async () => {
    const groups: number[] = [];
    const queue = createCommitQueue(async (group: readonly Transaction[]) => {
      groups.push(group.length);
      return group.map(() => ({ committed: true, results: [] }));
    }, LIMITS);
    const large = { ...event('a', 'e'), payload: { text: 'x'.repeat(700_000) } };
    await Promise.all([1, 2, 3].map(() => queue.add(packWrites([large]))));
    expect(groups).toEqual([1, 1, 1]);
  });

  test('a failing thread fails its own transactions, and the queue continues', async () => {
    let calls = 0;
    const queue = createCommitQueue(async (group) => {
      calls += 1;
      if (calls === 1) throw new Error('gone');
      return group.map(() => ({ committed: true, results: [] }));
    }, LIMITS);
    await expect(queue.add([])).rejects.toThrow('gone');
    expect(await queue.add([])).toMatchObject({ committed: true });
  });

  test('[CHT-139] sends that arrive together are one commit, and a refused one affects no other', async () => {
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
