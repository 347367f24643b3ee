import { expect, test } from 'vitest';
import { createIds } from './ids.ts';

test('each id names its kind and is unique, however many are made', () => {
  const id = createIds();
  const ids = Array.from({ length: 10_000 }, () => id('evt'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((each) => !/^evt_[0-9a-f]{32}$/.test(each))).toEqual([]);
});
