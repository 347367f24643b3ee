import { expect, test } from 'vitest';
import { stateHash } from './state-hash.ts';

test('the hash ignores key order and nothing else', () => {
  const hash = stateHash({ a: 1, b: { c: [1, 2], d: null } });
  expect(stateHash({ b: { d: null, c: [1, 2] }, a: 1 })).toBe(hash);
  const others = [{ a: 1, b: { c: [2, 1], d: null } }, { a: '1', b: { c: [1, 2], d: null } }, { a: 1 }, null];
  for (const other of others) expect(stateHash(other)).not.toBe(hash);
});
