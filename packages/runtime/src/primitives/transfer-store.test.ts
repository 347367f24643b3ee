import { expect, test } from 'vitest';
import { createTransferStore } from './transfer-store.ts';

const SHOP = 'https://shop.example';

test('keeps a transfer until it expires', () => {
  let now = 0;
  const store = createTransferStore(() => now);
  store.write({ label: 'short', value: 'a', ttl_seconds: 1 }, SHOP);
  store.write({ label: 'usual', value: 'b', metadata: { from: 'here' } }, SHOP);
  now = 999;
  expect(store.read('short')).toEqual({ label: 'short', format: 'text/plain', value: 'a' });
  now = 1_000;
  expect(store.read('short')).toBeUndefined();
  expect(store.read('usual')).toEqual({
    label: 'usual',
    format: 'text/plain',
    value: 'b',
    metadata: { from: 'here' },
  });
  now = 3_600_000;
  expect(store.read('usual')).toBeUndefined();
});

test('limits their number and drops the oldest first', () => {
  const store = createTransferStore(() => 0);
  for (let each = 0; each <= 100; each++) store.write({ label: `t${each}`, value: 'x' }, SHOP);
  expect(store.read('t0')).toBeUndefined();
  expect(store.read('t1')).toBeDefined();
  expect(store.clear(['t1', 't0'])).toBe(1);
  expect(store.clear(store.labels())).toBe(99);
});

test('refuses a transfer that grows past its limit and keeps the old value', () => {
  const store = createTransferStore(() => 0);
  const value = 'x'.repeat(100_000);
  for (let each = 0; each < 9; each++) store.write({ label: 'long', value, mode: 'append' }, SHOP);
  const before = store.read('long')?.value.length;
  expect(() => store.write({ label: 'long', value: value + value, mode: 'append' }, SHOP)).toThrow(
    /1000000 characters/,
  );
  expect(store.read('long')?.value.length).toBe(before);
});
