import { describe, expect, test } from 'vitest';
import { keyFaults, offsetOf, readTree } from './json-tree.ts';
import { hasDuplicateKeys } from './key-count.ts';
import { indexLines } from './line-index.ts';
import { resolveReference, toPointer, toWords } from './path.ts';
import { printMap } from './print.ts';

describe('lines', () => {
  test.each([
    ['', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['a\nb', 1, 1, 2],
    ['a\nb', 2, 2, 1],
    ['a\r\nb', 3, 2, 1],
    ['\n\n\n', 3, 4, 1],
    ['a', 9, 1, 10],
  ])('%j at %i is line %i, column %i', (text, offset, line, column) =>
    expect(indexLines(text)(offset)).toEqual({ line, column }),
  );
});

describe('paths', () => {
  test('a pointer escapes ~ and /', () => expect(toPointer(['a/b', 0, 'c~d', ''])).toBe('/a~1b/0/c~0d/'));

  test('words are written as in a sentence', () => {
    expect(toWords(['tools', 0, 'name'])).toBe('tools[0].name');
    expect(toWords([])).toBe('');
  });

  test('a reference inside a schema is followed, but not to inherited properties', () => {
    const schema = { $defs: { 'a/b': { type: 'string' } }, anyOf: [{ const: 1 }] };
    expect(resolveReference(schema, '#')).toBe(schema);
    expect(resolveReference(schema, '#/$defs/a~1b')).toEqual({ type: 'string' });
    expect(resolveReference(schema, '#/anyOf/0')).toEqual({ const: 1 });
    for (const nowhere of ['#/none', '#/constructor', 'other.json', '/anyOf', '#anchor'])
      expect(resolveReference(schema, nowhere)).toBeUndefined();
  });
});

describe('positions in a text', () => {
  const text = '{\n  "tools": [ { "name": "a" } ]\n}';
  const { root } = readTree(text);
  const at = (path: readonly (string | number)[], part: 'key' | 'value') =>
    text.slice(offsetOf(root, path, part)).slice(0, 6);

  test('a value and its key have positions', () => {
    expect(at(['tools', 0, 'name'], 'value')).toBe('"a" } ');
    expect(at(['tools', 0, 'name'], 'key')).toBe('"name"');
  });

  test('a missing part has the position where it should be', () => {
    expect(at(['tools', 0, 'description'], 'value')).toBe('{ "nam');
    expect(at(['states', 3], 'value')).toBe('{\n  "t');
  });

  test('duplicate keys and prototype keys have positions', () => {
    const faults = [...keyFaults(readTree('{"a":1,"b":[{"c":1,"c":2}],"a":3,"__proto__":4}').root)];
    expect(faults.map(({ kind, path }) => `${kind} ${toPointer(path)}`)).toEqual([
      'duplicate /b/0/c',
      'duplicate /a',
      'prototype /__proto__',
    ]);
  });
});

test.each([
  ['{}', false],
  ['{"a":1,"b":{"a":1}}', false],
  ['{"a":1,"a":1}', true],
  ['[{"a":1},{"a":1}]', false],
  ['{"a":"b\\":","c":1}', false],
  ['{"a" \n : 1, "a":2}', true],
  ['{"a\\\\":1,"a\\\\":2}', true],
  ['["a",":"]', false],
])('%s has a key twice: %s', (text, twice) => expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(twice));

test('a map is printed with two spaces, its own key order and a final line break', () =>
  expect(printMap({ b: [1], a: {} })).toBe('{\n  "b": [\n    1\n  ],\n  "a": {}\n}\n'));
