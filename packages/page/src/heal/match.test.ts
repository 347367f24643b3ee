import { expect, test } from 'vitest';
import { bestMatch, CONFIDENCE_BAR, confidenceIn, isRecounted } from './match.ts';
import type { Remembered } from './remembered.ts';

const remembered: Remembered = {
  role: 'button',
  name: 'Delete',
  text: 'Delete',
  box: [100, 100, 80, 30],
  neighbours: ['Edit', 'Share'],
  belongs: 'Alice',
};
const now = (changes: Partial<Remembered> = {}): Remembered => ({ ...remembered, ...changes });

test('is certain when everything is equal', () => {
  expect(confidenceIn(remembered, now())).toBe(1);
});

test.each([
  ['role', { role: 'link' }],
  ['name', { name: 'Remove' }],
  ['belonging', { belongs: 'Bob' }],
] as const)('another %s is another element, wherever it stands', (_, changes) => {
  expect(confidenceIn(remembered, now(changes))).toBe(0);
});

test.each(['›', '«', 'Next', 'Previous month'])(
  '%s stays itself when it turned the page around it',
  (name) => {
    const turner = { ...remembered, name, belongs: 'February 2027' };
    expect(confidenceIn(turner, { ...turner, belongs: 'March 2027' })).toBeGreaterThan(CONFIDENCE_BAR);
    expect(confidenceIn({ ...turner, name: '×' }, { ...turner, name: '×', belongs: 'March 2027' })).toBe(0);
  },
);

test('a date or an amount tells rows of one vendor apart, a count does not', () => {
  const row = { ...remembered, name: 'Approve', belongs: 'Heron 410.00 12.01.2025 Approve' };
  expect(confidenceIn(row, { ...row, belongs: 'Heron 61.75 12.01.2025 Approve' })).toBe(0);
  expect(confidenceIn(row, { ...row, belongs: 'Heron 410.00 20.01.2025 Approve' })).toBe(0);
  const counted = { ...row, belongs: 'Approve 3 pieces' };
  expect(confidenceIn(counted, { ...counted, belongs: 'Approve 4 pieces' })).toBeGreaterThan(CONFIDENCE_BAR);
});

test('[INT-243] weighs role and name most, and distance in steps at 50, 100 and 150 px', () => {
  const at = (distance: number) => confidenceIn(remembered, now({ box: [100 + distance, 100, 80, 30] }));
  const [near, line, lines, far] = [at(49), at(99), at(149), at(150)];
  expect([near, line, lines, far]).toEqual([near, line, lines, far].toSorted((one, other) => other - one));
  expect(new Set([near, line, lines, far]).size).toBe(4);
  expect(far).toBeGreaterThan(CONFIDENCE_BAR);
});

test('rejects a candidate that shares only the place', () => {
  const nameless = now({ name: '', text: '', belongs: '', neighbours: [] });
  expect(confidenceIn(nameless, nameless)).toBeLessThan(CONFIDENCE_BAR);
});

const candidate = (changes: Partial<Remembered> = {}) => ({ now: now(changes) });

test('[INT-244] reports a tie between indistinguishable candidates', () => {
  expect(bestMatch(remembered, [candidate(), candidate({ box: [100, 130, 80, 30] })]).kind).toBe('tie');
});

test('reports a tie when a unique element became two, however near one is', () => {
  const far = candidate({ box: [900, 900, 80, 30], neighbours: [] });
  expect(bestMatch(remembered, [candidate(), far], false).kind).toBe('found');
  expect(bestMatch(remembered, [candidate(), far], true).kind).toBe('tie');
});

test.each([
  ['Like 3', 'Like 4', ''],
  ['♥ 3', '♥ 12', 'Ana'],
  ['+', '+', 'Rice × 1', 'Rice × 2'],
  ['+', '+', 'Seats: 3 of 4', 'Seats: 4 of 4'],
])('[INT-212] %s is %s with another count', (name, then, belongs, belongsThen = belongs) => {
  expect(isRecounted(now({ name, belongs }), now({ name: then, belongs: belongsThen }))).toBe(true);
});

test.each([
  ['Open', 'Open', 'Invoice 12', 'Invoice 13'],
  ['Open', 'Open', 'Order #12', 'Order #13'],
  ['Book', 'Book', '10:30', '11:30'],
  ['Open', 'Open', 'A-12', 'A-13'],
  ['12', '13', 'May'],
  ['Pay € 12', 'Pay € 120', ''],
  ['Buy', 'Buy', 'Lamp × 1, $ 3', 'Lamp × 2, $ 6'],
  ['Delete 1', 'Keep 1', ''],
])('[INT-212] %s does not become %s by a count, of %s', (name, then, belongs, belongsThen = belongs) => {
  expect(isRecounted(now({ name, belongs }), now({ name: then, belongs: belongsThen }))).toBe(false);
});
