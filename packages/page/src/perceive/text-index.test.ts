import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { searchTexts } from './text-index.ts';

const word = fc.constantFrom(
  'lamp',
  'Lamps',
  'lampshade',
  'clamp',
  'oak',
  'Oak,',
  'table',
  'tables',
  'cable',
  'x',
  '·',
);
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const pages = fc.array(fc.record({ names: text, about: text }), { minLength: 1, maxLength: 12 });

test('[INT-250] scores are those of minisearch', () => {
  fc.assert(
    fc.property(pages, text, (documents, query) => {
      const peer = new MiniSearch({
        fields: ['names', 'about'],
        searchOptions: { boost: { names: 2 }, prefix: true, fuzzy: 0.2 },
      });
      peer.addAll(documents.map((document, id) => ({ id, ...document })));
      const fields = [
        { texts: documents.map(({ names }) => names), boost: 2 },
        { texts: documents.map(({ about }) => about), boost: 1 },
      ];
      const ours = new Map(searchTexts(fields, query).map(({ place, score }) => [place, score.toFixed(9)]));
      const theirs = new Map(peer.search(query).map(({ id, score }) => [id, score.toFixed(9)]));
      expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
    }),
  );
});

test('the best comes first', () => {
  const texts = ['a chair', 'a lampshade', 'a lamp'];
  const found = searchTexts([{ texts, boost: 1 }], 'lamp').map(({ place }) => texts[place]);
  expect(found).toEqual(['a lamp', 'a lampshade']);
});
