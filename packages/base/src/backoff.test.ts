import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';

const draws = (random: () => number) => {
  const backoff = createBackoff({ minMs: 100, maxMs: 1_000, random });
  return { backoff, waits: Array.from({ length: 6 }, () => backoff.next()) };
};

test('doubles the waits up to the maximum', () => {
  expect(draws(() => 0).waits).toEqual([50, 100, 200, 400, 500, 500]);
  expect(draws(() => 1 - Number.EPSILON).waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

test('starts over after a reset', () => {
  const { backoff } = draws(() => 0);
  backoff.reset();
  expect(backoff.next()).toBe(50);
});
