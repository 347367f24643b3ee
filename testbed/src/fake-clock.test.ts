import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock } from './fake-clock.ts';

test('time stands still until it is advanced', () => {
  const clock = createFakeClock(1_000);
  expect(clock.now()).toBe(1_000);
  clock.advance(250);
  expect(clock.now()).toBe(1_250);
});

test('a timeout runs once, at its time', () => {
  const clock = createFakeClock(1_000);
  const ranAt: number[] = [];
  clock.setTimeout(() => ranAt.push(clock.now()), 30);
  clock.advance(29);
  expect(ranAt).toEqual([]);
  clock.advance(100);
  expect(ranAt).toEqual([1_030]);
  expect(clock.pending()).toBe(0);
});

test('an interval runs each time until it is cleared, even by itself', () => {
  const clock = createFakeClock();
  const ranAt: number[] = [];
  const handle = clock.setInterval(() => {
    ranAt.push(clock.now());
    if (ranAt.length === 3) clock.clearInterval(handle);
  }, 10);
  clock.advance(100);
  expect(ranAt).toEqual([10, 20, 30]);
  expect(clock.pending()).toBe(0);
});

test('a timer cleared by an earlier one does not run', () => {
  const clock = createFakeClock();
  const ran: string[] = [];
  const late = clock.setTimeout(() => ran.push('late'), 20);
  clock.setTimeout(() => clock.clearTimeout(late), 10);
  clock.clearTimeout(undefined);
  clock.advance(50);
  expect(ran).toEqual([]);
});

test('timers set while advancing run in the same advance when they fall due', () => {
  const clock = createFakeClock();
  const ran: string[] = [];
  clock.setTimeout(() => {
    ran.push(`first ${clock.now()}`);
    clock.setTimeout(() => ran.push(`inner ${clock.now()}`), 5);
  }, 10);
  clock.setTimeout(() => ran.push(`last ${clock.now()}`), 16);
  clock.advance(20);
  expect(ran).toEqual(['first 10', 'inner 15', 'last 16']);
});

test('a timeout of 0 that sets itself again does not block advance forever', () => {
  const clock = createFakeClock();
  let runs = 0;
  const again = () => {
    runs += 1;
    clock.setTimeout(again, 0);
  };
  again();
  clock.advance(5);
  expect(runs).toBe(6);
});

test('advanceAsync runs timers that promise callbacks set on the way', async () => {
  const clock = createFakeClock();
  const ranAt: number[] = [];
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  const work = async () => {
    for (const ms of [10, 20, 30]) {
      await sleep(ms);
      ranAt.push(clock.now());
    }
  };
  const done = work();
  await clock.advanceAsync(60);
  await done;
  expect(ranAt).toEqual([10, 30, 60]);
});

test("jump moves the wall clock and keeps every timer's remaining delay", () => {
  const clock = createFakeClock(1_000);
  const ranAt: number[] = [];
  clock.setTimeout(() => ranAt.push(clock.now()), 50);
  clock.jump(3_600_000);
  expect(clock.now()).toBe(3_601_000);
  expect(clock.nextAt()).toBe(3_601_050);
  clock.advance(49);
  expect(ranAt).toEqual([]);
  clock.advance(1);
  expect(ranAt).toEqual([3_601_050]);
  clock.jump(-3_600_000);
  expect(clock.now()).toBe(1_050);
});

test('an error of a timer is thrown by advance, and the clock still works', () => {
  const clock = createFakeClock();
  clock.setTimeout(() => {
    throw new Error('boom');
  }, 10);
  expect(() => clock.advance(100)).toThrow('boom');
  expect(clock.now()).toBe(10);
  clock.advance(5);
  expect(clock.now()).toBe(15);
});

test('refuses delays that a real clock refuses', () => {
  const clock = createFakeClock();
  expect(() => clock.advance(-1)).toThrow('forwards');
  expect(() => clock.setTimeout(() => {}, 2 ** 31)).toThrow('longest');
  expect(() => clock.setTimeout(() => {}, Number.NaN)).toThrow('longest');
  clock.setTimeout(() => clock.advance(1), 1);
  expect(() => clock.advance(1)).toThrow('already advancing');
});

test('timers run in time order, ties in the order they were set, whatever the steps', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 });
  const steps = fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 10 });
  fc.assert(
    fc.property(delays, steps, (waits, advances) => {
      const clock = createFakeClock();
      const ran: Array<{ set: number; at: number }> = [];
      waits.forEach((ms, set) => {
        clock.setTimeout(() => ran.push({ set, at: clock.now() }), ms);
      });
      for (const ms of advances) clock.advance(ms);
      const end = advances.reduce((sum, ms) => sum + ms, 0);
      const expected = waits
        .map((ms, set) => ({ set, at: Math.max(1, ms) }))
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at - b.at || a.set - b.set);
      expect(ran).toEqual(expected);
      expect(clock.pending()).toBe(waits.length - expected.length);
    }),
  );
});

test('timers that set further timers keep time order, and nextAt returns the next one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 }), (waits) => {
      const clock = createFakeClock();
      const queue = [...waits];
      const ranAt: number[] = [];
      const setNext = () => {
        const ms = queue.shift();
        if (ms !== undefined) clock.setTimeout(fire, ms);
      };
      const fire = () => {
        ranAt.push(clock.now());
        setNext();
        setNext();
      };
      setNext();
      while (clock.pending() > 0) {
        const next = clock.nextAt() ?? Number.NaN;
        clock.advance(next - clock.now());
        expect(ranAt.at(-1)).toBe(next);
      }
      expect(ranAt).toEqual(ranAt.toSorted((a, b) => a - b));
      expect(ranAt).toHaveLength(waits.length);
    }),
  );
});
