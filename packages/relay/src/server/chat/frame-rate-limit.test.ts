import { createFakeClock } from '@drawbridge/testbed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coreClock } from '../../../test/server/test-relay.ts';
import { createFrameRateLimit } from './device-rate-limits.ts';

function startRateLimit({ perSecond = 100, burst = 200 } = {}) {
  const clock = createFakeClock();
  const acted: Array<{ readonly text: string; readonly at: number }> = [];
  const waits: boolean[] = [];
  const rateLimit = createFrameRateLimit({
    clock: coreClock(clock),
    perSecond,
    burst,
  });
  const limiter = rateLimit.open((waiting) => waits.push(waiting));
  const take = (text: string) => limiter.take(() => acted.push({ text, at: clock.now() }));
  return { clock, take, close: limiter.close, rateLimit, acted, waits };
}

const texts = (count: number) => Array.from({ length: count }, (_, at) => `frame ${at}`);

test('[CHT-97] a burst of 200 passes at once, and then 100 a second, in order', () => {
  const { clock, take, acted, waits } = startRateLimit();
  for (const text of texts(500)) take(text);
  expect(acted).toHaveLength(200);
  expect(waits).toEqual([true]);
  clock.advance(1_000);
  expect(acted).toHaveLength(300);
  clock.advance(2_000);
  expect(acted.map(({ text }) => text)).toEqual(texts(500));
  expect(waits).toEqual([true, false]);
});

test('slow frames cost the time they take: at most a quarter of the event loop', () => {
  const clock = createFakeClock();
  let busyMs = 0;
  const { after } = coreClock(clock);
  const rateLimit = createFrameRateLimit({
    clock: { now: () => clock.now() + busyMs, after },
    ...{ perSecond: 100, burst: 20, loopShare: 0.25 },
  });
  const limiter = rateLimit.open(() => {});
  const slow = (): void => {
    busyMs += 10;
  };
  for (let frame = 0; frame < 1_000; frame += 1) limiter.take(slow);
  expect(busyMs).toBeLessThanOrEqual(50);
  clock.advance(10_000);
  expect(busyMs).toBeGreaterThan(2_000);
  expect(busyMs).toBeLessThan(2_600);
});

test('[CHT-97] for any arrival pattern, no second has more than the burst plus a hundred, and no frame is lost', () => {
  const arrivals = fc.array(
    fc.record({ frames: fc.integer({ min: 0, max: 150 }), ms: fc.integer({ min: 0, max: 700 }) }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(arrivals, fc.constantFrom(100, 2_000, 7), (steps, perSecond) => {
      const { clock, take, acted } = startRateLimit({ perSecond, burst: perSecond * 2 });
      let count = 0;
      for (const { frames, ms } of steps) {
        for (let at = 0; at < frames; at += 1) take(`frame ${count++}`);
        clock.advance(ms);
      }
      clock.advance(600_000);
      expect(acted.map(({ text }) => text)).toEqual(texts(count));
      for (const { at } of acted) {
        const inSecond = acted.filter((each) => each.at >= at && each.at < at + 1_000).length;
        expect(inSecond).toBeLessThanOrEqual(perSecond * 3);
      }
      expect(clock.pending()).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('[CHT-97] streams share one bucket, wait in order of arrival, and each is notified when its own frames wait', () => {
  const { clock, take, acted, waits, rateLimit } = startRateLimit({ perSecond: 100, burst: 10 });
  const otherWaits: boolean[] = [];
  const other = rateLimit.open((waiting) => otherWaits.push(waiting));
  const takeOther = (text: string) => other.take(() => acted.push({ text, at: clock.now() }));
  for (const text of texts(9)) take(text);
  for (const text of ['a', 'b', 'c']) takeOther(text);
  take('last');
  expect(acted.slice(9).map(({ text }) => text)).toEqual(['a']);
  expect([waits, otherWaits]).toEqual([[true], [true]]);
  clock.advance(20);
  expect(acted.slice(10).map(({ text }) => text)).toEqual(['b', 'c']);
  expect([waits, otherWaits]).toEqual([[true], [true, false]]);
  clock.advance(20);
  expect(acted.at(-1)?.text).toBe('last');
  expect(waits).toEqual([true, false]);
});

test('[CHT-114] a jump of the wall clock lets no frame through', () => {
  const { clock, take, acted } = startRateLimit();
  for (const text of texts(300)) take(text);
  clock.jump(3_600_000);
  expect(acted).toHaveLength(200);
});

test('drops waiting frames when the socket ends', () => {
  const { clock, take, close, acted } = startRateLimit();
  for (const text of texts(300)) take(text);
  close();
  take('late');
  clock.advance(60_000);
  expect(acted).toHaveLength(200);
  expect(clock.pending()).toBe(0);
});
