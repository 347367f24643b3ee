import { BridgeError } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import type { IsolateEvents } from './isolate.ts';
import { IsolatePool } from './isolate-pool.ts';
import type { EvaluationRequest } from './messages.ts';

/** Isolates that a test drives by hand. */
function fakeIsolates({ size = 1 } = {}) {
  const clock = createFakeClock();
  const all: { events: IsolateEvents; requests: EvaluationRequest[]; killed: boolean }[] = [];
  const pool = new IsolatePool({
    spawn: (events) => {
      const isolate = { events, requests: [] as EvaluationRequest[], killed: false };
      all.push(isolate);
      return {
        send: (request) => void isolate.requests.push(request),
        kill: () => {
          isolate.killed = true;
        },
      };
    },
    setTimer: (ms, callback) => {
      const timer = clock.setTimeout(callback, ms);
      return () => clock.clearTimeout(timer);
    },
    size,
    maxMs: 250,
    maxOutputBytes: 100,
    maxInputBytes: 100,
  });
  const nth = (at: number) => {
    const isolate = all[at];
    if (isolate === undefined) throw new Error(`There is no isolate ${at}.`);
    return isolate;
  };
  const answer = (at: number, output: string) => {
    const { events, requests } = nth(at);
    const id = requests.at(-1)?.id;
    if (id === undefined) throw new Error(`Isolate ${at} has nothing to answer.`);
    events.answered({ id, ok: true, output });
  };
  return { clock, pool, all, nth, answer };
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof BridgeError ? error.evidence['reason'] : error),
  );

describe('the pool', () => {
  test('[MAN-183] an isolate starts on demand and gets its first job when it is ready', async () => {
    const { pool, all, nth, answer } = fakeIsolates();
    expect(all).toHaveLength(0);
    const result = pool.evaluate('a', { a: 1 });
    expect(nth(0).requests).toEqual([]);
    nth(0).events.ready();
    expect(nth(0).requests).toEqual([{ id: 1, expression: 'a', input: '{"a":1}', maxOutputBytes: 100 }]);
    answer(0, '[1]');
    expect(await result).toEqual([1]);
  });

  test('[MAN-184] the timeout starts with the job, not while it waits', async () => {
    const { clock, pool, all, nth, answer } = fakeIsolates();
    const first = reasonOf(pool.evaluate('1', {}));
    const second = reasonOf(pool.evaluate('2', {}));
    clock.advance(10_000);
    nth(0).events.ready();
    clock.advance(249);
    answer(0, '1');
    clock.advance(249);
    answer(0, '2');
    expect(await Promise.all([first, second])).toEqual(['answered', 'answered']);
    expect(clock.pending()).toBe(0);
    expect(all).toHaveLength(1);
  });

  test('[MAN-184] at its timeout an isolate is killed and replaced, and waiting jobs keep their turn', async () => {
    const { clock, pool, nth, answer } = fakeIsolates();
    const slow = reasonOf(pool.evaluate('slow', {}));
    const next = reasonOf(pool.evaluate('next', {}));
    nth(0).events.ready();
    clock.advance(250);
    expect(await slow).toBe('timeout');
    expect(nth(0).killed).toBe(true);
    nth(1).events.ready();
    expect(nth(1).requests[0]?.expression).toBe('next');
    nth(0).events.answered({ id: 2, ok: true, output: '"too late"' });
    answer(1, '"in time"');
    expect(await next).toBe('answered');
  });

  test('an isolate that dies fails only its own job', async () => {
    const { pool, nth, answer } = fakeIsolates();
    const hungry = reasonOf(pool.evaluate('hungry', {}));
    const next = reasonOf(pool.evaluate('next', {}));
    nth(0).events.ready();
    nth(0).events.died('memory', 'too much');
    nth(0).events.died('crashed', 'its worker ended.');
    expect(await hungry).toBe('memory');
    nth(1).events.ready();
    answer(1, '1');
    expect(await next).toBe('answered');
  });

  test('an isolate that dies while starting fails one job, so nothing is retried forever', async () => {
    const { pool, all, nth } = fakeIsolates();
    const both = [reasonOf(pool.evaluate('1', {})), reasonOf(pool.evaluate('2', {}))];
    nth(0).events.died('crashed', 'no such file');
    nth(1).events.died('crashed', 'no such file');
    expect(await Promise.all(both)).toEqual(['crashed', 'crashed']);
    expect(all).toHaveLength(2);
  });

  test('never starts more isolates than its size', async () => {
    const { pool, all, nth } = fakeIsolates({ size: 2 });
    const work = Array.from({ length: 5 }, () => reasonOf(pool.evaluate('1', {})));
    nth(0).events.ready();
    nth(1).events.ready();
    expect(all).toHaveLength(2);
    expect(all.map(({ requests }) => requests.length)).toEqual([1, 1]);
    await pool.close();
    expect(await Promise.all(work)).toEqual(['closed', 'closed', 'closed', 'closed', 'closed']);
    expect(all.every(({ killed }) => killed)).toBe(true);
  });

  test('keys take turns: a flood under one key delays no other', async () => {
    const { pool, nth, answer } = fakeIsolates();
    for (let n = 0; n < 5; n++) void pool.evaluate(`flood ${n}`, {}, { queueKey: 'a' });
    void pool.evaluate('single', {}, { queueKey: 'b' });
    nth(0).events.ready();
    answer(0, '1');
    expect(nth(0).requests.map(({ expression }) => expression)).toEqual(['flood 0', 'single']);
  });
});

test('a queue returns every item, in order per key, and no key twice before another', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (queueKeys) => {
      const queue = new FairQueue<{ queueKey: string; at: number }>();
      for (const [at, queueKey] of queueKeys.entries()) queue.add(queueKey, { queueKey, at });
      const taken: { queueKey: string; at: number }[] = [];
      for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
      expect(taken.map(({ at }) => at).toSorted((a, b) => a - b)).toEqual(queueKeys.map((_, at) => at));
      for (const queueKey of new Set(queueKeys)) {
        const own = taken.filter((item) => item.queueKey === queueKey).map(({ at }) => at);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }
      const first = taken.slice(0, new Set(queueKeys).size).map(({ queueKey }) => queueKey);
      expect(new Set(first).size).toBe(first.length);
      expect(queue.isEmpty).toBe(true);
    }),
  );
});
