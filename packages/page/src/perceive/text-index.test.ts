import { expect, test } from 'vitest';
import { searchTexts } from './text-index.ts';

const TEXTS = ['a chair', 'a lampshade', 'a lamp', 'a lapm'];

const found = (query: string) =>
  searchTexts([{ texts: TEXTS, boost: 1 }], query).map(({ place }) => TEXTS[place]);

test('[INT-250] the best comes first, then what begins like it', () => {
  expect(found('lamp').slice(0, 2)).toEqual(['a lamp', 'a lampshade']);
});

test('what has nothing of the query is not found', () => {
  expect(found('chair')).toEqual(['a chair']);
});

test('a match in a field with more weight counts more', () => {
  const fields = [
    { texts: ['lamp', 'oak'], boost: 1 },
    { texts: ['oak', 'lamp'], boost: 2 },
  ];
  expect(searchTexts(fields, 'lamp').map(({ place }) => place)).toEqual([1, 0]);
});

test('a word with a letter too many, too few or another is found, after the right one', () => {
  const texts = ['sofa', 'lamp', 'lamps', 'lump', 'lam', 'stamp'];
  const places = searchTexts([{ texts, boost: 1 }], 'lamp').map(({ place }) => texts[place]);
  expect(places[0]).toBe('lamp');
  expect(places.toSorted()).toEqual(['lam', 'lamp', 'lamps', 'lump']);
});

test('a query is words, whatever signs are in it, in any script', () => {
  const texts = ['c++ (a+)+', 'стул', 'кресло'];
  expect(searchTexts([{ texts, boost: 1 }], 'Стул ((').map(({ place }) => place)).toEqual([1]);
});

test.each(['c++', '(', '[a', 'a\\', '.*', '^$', '*'])('%s is no pattern', (query) => {
  expect(searchTexts([{ texts: ['c', 'b', ''], boost: 1 }], query).map(({ place }) => place)).toEqual(
    query === 'c++' ? [0] : [],
  );
});

test('texts without a word are no answer, and no trouble', () => {
  expect(searchTexts([{ texts: ['', ' · '], boost: 1 }], 'lamp')).toEqual([]);
  expect(searchTexts([{ texts: [], boost: 1 }], 'lamp')).toEqual([]);
});
