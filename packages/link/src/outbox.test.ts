import { expect, test } from 'vitest';
import { batchOf, createOutbox } from './outbox.ts';

function filled(count: number, limits = {}) {
  const outbox = createOutbox(limits);
  for (let n = 1; n <= count; n++) outbox.push(`${n}`);
  return outbox;
}

const numbers = (entries: readonly { readonly number: number }[]) => entries.map(({ number }) => number);

test('numbers entries from 1 and drops confirmed ones', () => {
  const outbox = filled(4);
  outbox.confirm(2);
  outbox.confirm(1);
  expect(numbers(outbox.after(0))).toEqual([3, 4]);
  expect(numbers(outbox.after(3))).toEqual([4]);
  expect(outbox.last()).toBe(4);
});

test('resumes only from entries that are still stored', () => {
  const outbox = filled(4);
  outbox.confirm(2);
  const good = [-1, 0, 1, 2, 3, 4, 5, 2.5, Number.NaN].filter(outbox.canResumeAfter);
  expect(good).toEqual([2, 3, 4]);
  outbox.confirm(4);
  expect([3, 4, 5].filter(outbox.canResumeAfter)).toEqual([4]);
});

test('limits items and characters, and takes more after confirmations', () => {
  const few = filled(3, { maxItems: 3 });
  expect(() => few.push('x')).toThrow('buffer');
  few.confirm(1);
  expect(few.push('x').number).toBe(4);

  const short = filled(3, { maxChars: 3 });
  expect(() => short.push('x')).toThrow('buffer');
  short.confirm(2);
  short.push('xx');
  expect(() => short.push('x')).toThrow('buffer');
});

test('makes room by dropping the oldest', () => {
  const outbox = filled(3, { maxItems: 3 });
  outbox.makeRoom(1);
  outbox.push('x');
  expect(numbers(outbox.after(0))).toEqual([2, 3, 4]);
});

test('returns its entries when drained, and counts from 1 again', () => {
  const outbox = filled(3, { maxItems: 3 });
  outbox.confirm(1);
  expect(numbers(outbox.drain())).toEqual([2, 3]);
  expect(numbers([outbox.push('x')])).toEqual([1]);
});

test('returns batches that are never empty and fit one request', () => {
  const entry = (number: number, chars: number) => ({ number, text: 'x'.repeat(chars) });
  expect(batchOf([])).toEqual([]);
  expect(numbers(batchOf([entry(1, 2_000_000), entry(2, 1)]))).toEqual([1]);
  expect(numbers(batchOf([entry(1, 600_000), entry(2, 600_000)]))).toEqual([1]);
  expect(batchOf(Array.from({ length: 500 }, (_, n) => entry(n + 1, 1)))).toHaveLength(200);
});
