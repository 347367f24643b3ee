import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asWritten, itemsOf, membersOf, withMembers } from './json-members.ts';

const WRITTEN = `{ "a" : 1.0,"b\\u0031":[ 12345678901234567890 , "}\\\\\\"" , {"2":1, "1":2} ],\n"c":-0 ,"d":"\\u0041\\/", "e":{}, "f":[]}`;

test('finds members and items as they are written', () => {
  expect([...membersOf(WRITTEN)].map(([name, { key, value }]) => [name, key, value])).toEqual([
    ['a', '"a"', '1.0'],
    ['b1', '"b\\u0031"', '[ 12345678901234567890 , "}\\\\\\"" , {"2":1, "1":2} ]'],
    ['c', '"c"', '-0'],
    ['d', '"d"', '"\\u0041\\/"'],
    ['e', '"e"', '{}'],
    ['f', '"f"', '[]'],
  ]);
  expect(itemsOf(membersOf(WRITTEN).get('b1')?.value ?? '')).toEqual([
    '12345678901234567890',
    '"}\\\\\\""',
    '{"2":1, "1":2}',
  ]);
  expect([itemsOf(' [ ] '), membersOf(' { } ').size]).toEqual([[], 0]);
});

test('replaces and adds members, and keeps the others as written', () => {
  expect(withMembers('{"a": 1.0, "b\\u0031":2,"a":3.0}', { b1: '[4]', n: '5' })).toBe(
    '{"a":3.0,"b\\u0031":[4],"n":5}',
  );
});

test('writes the members of an object as its source does, unless they changed', () => {
  const value = { ...JSON.parse(WRITTEN), c: 7, e: undefined, new: 'x' };
  expect(asWritten(value, WRITTEN)).toBe(
    '{"a":1.0,"b\\u0031":[ 12345678901234567890 , "}\\\\\\"" , {"2":1, "1":2} ],"c":7,"d":"\\u0041\\/","f":[],"new":"x"}',
  );
  expect(asWritten(JSON.parse('{"n":1e400}'), '{"n":1e400}')).toBe('{"n":1e400}');
});

test('agrees with JSON.parse on any object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, '\t'), (object, space) => {
      const text = JSON.stringify(object, undefined, space);
      const read = [...membersOf(text)].map(([name, { value }]) => [name, JSON.parse(value)]);
      expect(Object.fromEntries(read)).toEqual(JSON.parse(text));
      expect(asWritten(JSON.parse(text), JSON.stringify(object))).toBe(JSON.stringify(object));
    }),
  );
});
