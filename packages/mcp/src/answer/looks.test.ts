import { expect, test } from 'vitest';
import { changesBetween } from './looks.ts';

const look = (...ids: string[]) => ({
  mark: 'mark',
  text: ids.join(),
  lines: ids.map((id) => ({ id, text: `${id} btn Pay` })),
});

test('[BRG-179] says the order of elements that changed places', () => {
  expect(changesBetween(look('1', '2', '3', '4'), look('1', '3', '2', '4'))).toEqual(['order: 3 2']);
  expect(changesBetween(look('1', '2'), look('3', '1', '2'))).toEqual(['+3 btn Pay']);
});
