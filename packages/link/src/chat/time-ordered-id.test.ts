import { expect, test } from 'vitest';
import { createTimeOrderedIds } from './time-ordered-id.ts';

test('makes sortable UUIDs with 80 random bits', () => {
  const now = () => 1_700_000_000_000;
  const newId = createTimeOrderedIds(now);
  const ids = Array.from({ length: 2_000 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(14))).size).toBe(2_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
});

test('makes no earlier id after the clock is set back, and uses the bytes in order', () => {
  let time = 5_000;
  const newId = createTimeOrderedIds(
    () => time,
    (bytes) => bytes.fill(0xab),
  );
  expect(newId()).toBe('00000000-1388-abab-abab-abababababab');
  time = 10;
  expect(newId()).toBe('00000000-1389-abab-abab-abababababab');
});
