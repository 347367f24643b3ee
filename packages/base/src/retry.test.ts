import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { delay } from './clock.ts';
import { retry } from './retry.ts';

const setUp = () => {
  const fake = createFakeClock();
  const after = (ms: number, run: () => void) => {
    const handle = fake.setTimeout(run, ms);
    return () => fake.clearTimeout(handle);
  };
  return { fake, clock: { now: fake.now, after } };
};

test('repeats until the work succeeds, after the wait for each error', async () => {
  const { fake, clock } = setUp();
  const times: number[] = [];
  const work = async () => {
    times.push(fake.now());
    if (times.length < 3) throw new Error(`failure ${times.length}`);
    return 'done';
  };
  const result = retry(work, { clock, waitMs: (_, failed) => failed * 100 });
  await fake.advanceAsync(300);
  expect(await result).toBe('done');
  expect(times).toEqual([0, 100, 300]);
});

test('throws the last error when it gives up, and on abort without waiting', async () => {
  const { fake, clock } = setUp();
  const work = () => Promise.reject(new Error('no'));
  await expect(retry(work, { clock, waitMs: () => undefined })).rejects.toThrow('no');
  const stop = new AbortController();
  const result = retry(work, { clock, waitMs: () => 1_000, signal: stop.signal });
  await fake.advanceAsync(1);
  stop.abort();
  await expect(result).rejects.toThrow('no');
  expect(fake.pending()).toBe(0);
});

test('a delay ends on abort, and leaves neither timer nor listener', async () => {
  const { fake, clock } = setUp();
  const stop = new AbortController();
  const waited = delay(clock, 1_000, stop.signal);
  stop.abort();
  await waited;
  await delay(clock, 1_000, stop.signal);
  expect(fake.pending()).toBe(0);
});
