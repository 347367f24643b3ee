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
