import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('forgets the key that was set longest ago', () => {
  const recent = new RecentMap<string, number>(2);
  recent.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...recent]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
