import { expect, test } from 'vitest';
import { stitch } from './stitch.ts';

const main = {
  mode: 'semantic' as const,
  url: 'https://shop.test/',
  title: 'Shop',
  interactive_tree: [{ i: '1', r: 'btn', n: 'Buy', xy: [10, 10] as [number, number] }],
};
const frame = {
  mode: 'semantic' as const,
  url: 'https://pay.test/',
  title: 'Pay',
  interactive_tree: [
    {
      i: 'f2_1',
      r: 'inp',
      n: 'Card',
      xy: [50, 20] as [number, number],
      box: [0, 10, 100, 20] as [number, number, number, number],
    },
    { i: 'f2_2', r: 'btn', n: 'Out of sight', xy: [50, 900] as [number, number] },
  ],
  scrollableContainers: [{ id: 'f2_2', depth: '0%', hasMore: true }],
};

test('[INT-213] moves cross-origin frames to their place and numbers them', () => {
  const page = stitch(main, [{ f: 2, page: frame, box: [100, 200, 300, 150] }]);
  expect(page.interactive_tree).toEqual([
    { i: '1', r: 'btn', n: 'Buy', xy: [10, 10] },
    { i: 'f2_1', r: 'inp', n: 'Card', xy: [150, 220], box: [100, 210, 100, 20], f: 2 },
  ]);
  expect(page).not.toHaveProperty('scrollableContainers');
  expect(page.title).toBe('Shop');
});

test('[INT-227] reports elements of a covered frame as covered', () => {
  const page = stitch(main, [{ f: 2, page: frame, box: [0, 0, 300, 150], occ: true }]);
  expect(page.interactive_tree[1]?.occ).toBe(true);
});

test('[INT-213] refuses two frames with one prefix', () => {
  const twice = { f: 2, page: frame, box: [0, 0, 300, 150] as const };
  expect(() => stitch(main, [twice, twice])).toThrow('its own prefix');
});
