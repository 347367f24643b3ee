import type { ExtractEntry } from '@drawbridge/protocol/manifest';
import { expect, test } from 'vitest';
import { type RawMatch, shapeRecords } from './records.ts';

function shape(entry: Omit<ExtractEntry, 'id' | 'selector'>, matches: readonly RawMatch[]) {
  const page = { url: 'https://a.example/', title: 'A', matches: { it: matches } };
  return shapeRecords([{ id: 'it', selector: 'x', ...entry }], page);
}

const values = (...all: unknown[]): RawMatch[] => all.map((value) => ({ value }));

test('[MAN-188] many gives a list; without it there is one record', () => {
  expect(shape({ many: true }, values('a', 'b')).records).toEqual({ it: ['a', 'b'] });
  expect(shape({}, values('a', 'b')).records).toEqual({ it: 'a' });
  expect(shape({ many: true }, []).records).toEqual({ it: [] });
  expect(shape({}, []).records).toEqual({ it: null });
});

test('[MAN-188] trim removes only the surrounding white space', () => {
  expect(shape({ trim: true }, values('\n  a  b\t')).records).toEqual({ it: 'a  b' });
  expect(shape({}, values(' a ')).records).toEqual({ it: ' a ' });
  expect(shape({ trim: true, property: 'checked' }, values(true)).records).toEqual({ it: true });
});

test('[MAN-188] the same rules apply to fields at any depth', () => {
  const entry = {
    many: true,
    fields: {
      name: { trim: true },
      cards: { many: true, fields: { labels: { many: true, trim: true }, done: { property: 'checked' } } },
    },
  } as const;
  const card: RawMatch = { fields: { labels: values(' red ', 'blue'), done: values(false) } };
  const { records, selector_counts } = shape(entry, [
    { fields: { name: values(' To do '), cards: [card, card] } },
    { fields: { name: values('Done'), cards: [] } },
  ]);
  expect(records).toEqual({
    it: [
      {
        name: 'To do',
        cards: [
          { labels: ['red', 'blue'], done: false },
          { labels: ['red', 'blue'], done: false },
        ],
      },
      { name: 'Done', cards: [] },
    ],
  });
  expect(selector_counts).toEqual({ it: 2, 'it.cards': 2, 'it.cards.labels': 4 });
});

test('[MAN-189] a default replaces a missing value, and a required field is still reported missing', () => {
  expect(shape({ default: 0 }, [])).toMatchObject({ records: { it: 0 }, missing_required_fields: [] });
  expect(shape({ default: 0, required: true }, values(null))).toMatchObject({
    records: { it: 0 },
    missing_required_fields: ['it'],
  });
  expect(shape({ many: true, required: true }, [])).toMatchObject({ missing_required_fields: ['it'] });
});

test('[MAN-189] an empty text, zero and false are values', () => {
  for (const value of ['', 0, false]) {
    expect(shape({ default: 'x', required: true }, values(value))).toMatchObject({
      records: { it: value },
      missing_required_fields: [],
    });
  }
});

test('a field called __proto__ is an ordinary field', () => {
  const fields = Object.fromEntries([['__proto__', { trim: true }]]);
  const found = Object.fromEntries([['__proto__', values(' a ')]]);
  expect(JSON.stringify(shape({ fields }, [{ fields: found }]).records)).toBe('{"it":{"__proto__":"a"}}');
});
