import { expect, test } from 'vitest';
import { searchTexts } from './text-index.ts';

const TEXTS = ['a chair', 'a lampshade', 'a lamp', 'a lapm'];

const found = (query: string) =>
  searchTexts([{ texts: TEXTS, boost: 1 }], query).map(({ index }) => TEXTS[index]);

test('[INT-250] ranks the best match first, then prefix matches', () => {
  expect(found('lamp').slice(0, 2)).toEqual(['a lamp', 'a lampshade']);
});

test('does not find a text without any word of the query', () => {
  expect(found('chair')).toEqual(['a chair']);
});

test('weighs a match by its field', () => {
  const fields = [
    { texts: ['lamp', 'oak'], boost: 1 },
    { texts: ['oak', 'lamp'], boost: 2 },
  ];
  expect(searchTexts(fields, 'lamp').map(({ index }) => index)).toEqual([1, 0]);
});

test('finds a word with one letter added, missing or changed, after the exact one', () => {
  const texts = ['sofa', 'lamp', 'lamps', 'lump', 'lam', 'stamp'];
  const places = searchTexts([{ texts, boost: 1 }], 'lamp').map(({ index }) => texts[index]);
  expect(places[0]).toBe('lamp');
  expect(places.toSorted()).toEqual(['lam', 'lamp', 'lamps', 'lump']);
});

test('splits a query into words in any script, whatever its punctuation', () => {
  const texts = ['c++ (a+)+', 'стул', 'кресло'];
  expect(searchTexts([{ texts, boost: 1 }], 'Стул ((').map(({ index }) => index)).toEqual([1]);
});

test.each(['c++', '(', '[a', 'a\\', '.*', '^$', '*'])('%s is no pattern', (query) => {
  expect(searchTexts([{ texts: ['c', 'b', ''], boost: 1 }], query).map(({ index }) => index)).toEqual(
    query === 'c++' ? [0] : [],
  );
});

test('ignores texts without a word', () => {
  expect(searchTexts([{ texts: ['', ' · '], boost: 1 }], 'lamp')).toEqual([]);
  expect(searchTexts([{ texts: [], boost: 1 }], 'lamp')).toEqual([]);
});
