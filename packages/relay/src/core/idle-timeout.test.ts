import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { createIdleTimeout } from './connection.ts';

const TIMEOUT_MS = 30_000;

function listen(ms = TIMEOUT_MS) {
  const clock = createFakeClock(0);
  let timers = 0;
  let ends = 0;
  const after = (wait: number, run: () => void) => {
    timers += 1;
    const timer = clock.setTimeout(run, wait);
    return () => clock.clearTimeout(timer);
  };
  const idleTimeout = createIdleTimeout({ now: clock.now, after }, ms, () => {
    ends += 1;
  });
  return { ...idleTimeout, clock, ends: () => ends, timers: () => timers };
}

test.each([0, 1, 999, 1_000, 29_999])('[CHT-112] a frame after %i ms restarts the idle timeout', (ms) => {
  const { clock, received, ends } = listen();
  clock.advance(ms);
  received();
  clock.advance(TIMEOUT_MS - 1);
  expect(ends()).toBe(0);
  clock.advance(1);
  expect(ends()).toBe(1);
});

test('[CHT-112] keeps an idle timeout that is shorter than the timer’s reset interval', () => {
  const { clock, received, ends } = listen(100);
  for (let frame = 0; frame < 30; frame += 1) {
    clock.advance(70);
    received();
  }
  clock.advance(99);
  expect(ends()).toBe(0);
  clock.advance(1);
  expect(ends()).toBe(1);
});

test('sets one timer a second for a busy peer, not one a frame', () => {
  const { clock, received, timers } = listen();
  for (let frame = 0; frame < 1_000; frame += 1) {
    clock.advance(10);
    received();
  }
  expect(timers()).toBe(11);
});

test.each([86_400_000, 500, -500, -86_400_000])(
  '[CHT-114] a clock jump by %i ms ends no active connection, and shifts the idle timeout by at most a second',
  (jump) => {
    const { clock, received, ends } = listen();
    for (let frame = 0; frame < 100; frame += 1) {
      clock.advance(10_000);
      received();
      if (frame === 50) clock.jump(jump);
      received();
    }
    expect(ends()).toBe(0);
    clock.advance(TIMEOUT_MS + 1_000);
    expect(ends()).toBe(1);
  },
);

test('does not fire after close, also when its timer was extended', () => {
  const { clock, received, close, ends } = listen();
  clock.advance(500);
  received();
  clock.advance(29_600);
  close();
  clock.advance(TIMEOUT_MS);
  expect(ends()).toBe(0);
});
