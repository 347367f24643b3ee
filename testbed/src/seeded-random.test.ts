import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeededRandom } from './seeded-random.ts';

const draws = (seed: number, count: number) => {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => random.next());
};

test('draws the published mulberry32 sequence', () => {
  expect(draws(0, 3)).toEqual([0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]);
});

test('the same seed draws the same, another seed differently', () => {
  expect(draws(7, 50)).toEqual(draws(7, 50));
  expect(draws(7, 50)).not.toEqual(draws(8, 50));
});

test('int stays within its bounds and reaches both', () => {
  const random = createSeededRandom(1);
  const seen = new Set(Array.from({ length: 200 }, () => random.int(-1, 2)));
  expect([...seen].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2]);
});

test('int refuses bounds it cannot keep', () => {
  const random = createSeededRandom(1);
  expect(() => random.int(2, 1)).toThrow('int(2, 1)');
  expect(() => random.int(0.5, 3)).toThrow(RangeError);
});

test('chance is never true at 0 and always true at 1', () => {
  const random = createSeededRandom(3);
  const all = (probability: number) => Array.from({ length: 100 }, () => random.chance(probability));
  expect(all(0)).not.toContain(true);
  expect(all(1)).not.toContain(false);
  expect(new Set(all(0.5)).size).toBe(2);
});

test('pick reaches every item, and refuses an empty list', () => {
  const random = createSeededRandom(5);
  const seen = new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])));
  expect(seen.size).toBe(3);
  expect(() => random.pick([])).toThrow('empty');
});

test('shuffle keeps every item and its input unchanged', () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(fc.integer()), (seed, items) => {
      const before = [...items];
      const shuffled = createSeededRandom(seed).shuffle(items);
      expect(items).toEqual(before);
      expect(shuffled.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b));
    }),
  );
  const sorted = Array.from({ length: 20 }, (_, index) => index);
  expect(createSeededRandom(1).shuffle(sorted)).not.toEqual(sorted);
});

test('a fork depends on its label, not on earlier draws', () => {
  const fresh = createSeededRandom(9);
  const used = createSeededRandom(9);
  used.next();
  expect(used.fork('up').next()).toBe(fresh.fork('up').next());
  expect(fresh.fork('up').next()).not.toBe(fresh.fork('down').next());
});
