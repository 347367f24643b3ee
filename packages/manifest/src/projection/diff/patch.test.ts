import { describe, expect, test } from 'vitest';
import { applyPatch, type Operation, PatchError } from './patch.ts';

describe('the operations of RFC 6902 that a diff uses', () => {
  test.each<[string, unknown, Operation, unknown]>([
    ['adds a member', { a: 1 }, { op: 'add', path: '/b', value: 2 }, { a: 1, b: 2 }],
    ['adds before an item', [1, 3], { op: 'add', path: '/1', value: 2 }, [1, 2, 3]],
    ['adds at the end', [1], { op: 'add', path: '/-', value: 2 }, [1, 2]],
    ['replaces a member that is null', { a: null }, { op: 'replace', path: '/a', value: 2 }, { a: 2 }],
    ['replaces the whole', { a: 1 }, { op: 'replace', path: '', value: [] }, []],
    ['removes an item', [1, 2, 3], { op: 'remove', path: '/1' }, [1, 3]],
    [
      'moves an item, counted after it was taken',
      [1, 2, 3],
      { op: 'move', from: '/0', path: '/2' },
      [2, 3, 1],
    ],
    [
      'reads ~1 as a slash and ~0 as a tilde',
      { 'a/b': { '~': 1 } },
      { op: 'remove', path: '/a~1b/~0' },
      { 'a/b': {} },
    ],
    ['reads ~01 as ~1', { '~1': 1 }, { op: 'remove', path: '/~01' }, {}],
    ['finds the empty key', { '': { '': 1 } }, { op: 'replace', path: '//', value: 2 }, { '': { '': 2 } }],
    [
      'finds an index as a key of an object',
      { 0: 'a' },
      { op: 'replace', path: '/0', value: 'b' },
      { 0: 'b' },
    ],
  ])('%s', (_, before, operation, after) => {
    expect(applyPatch(before, [operation])).toEqual(after);
  });

  test('__proto__ is an ordinary key and changes no prototype', () => {
    const applied = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(JSON.stringify(applied)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(applied)).toBe(Object.prototype);
    expect(applyPatch(applied, [{ op: 'remove', path: '/__proto__' }])).toEqual({});
  });

  test('applying a patch changes neither the value nor the patch', () => {
    const value = { list: [{ a: 1 }] };
    const added = { b: [1] };
    const after = applyPatch(value, [
      { op: 'add', path: '/list/0', value: added },
      { op: 'add', path: '/list/0/b/0', value: 0 },
    ]);
    expect(after).toEqual({ list: [{ b: [0, 1] }, { a: 1 }] });
    expect(value).toEqual({ list: [{ a: 1 }] });
    expect(added).toEqual({ b: [1] });
  });
});

describe('a patch that does not fit is refused', () => {
  test.each<[string, unknown, Operation]>([
    ['no such member', { a: 1 }, { op: 'remove', path: '/b' }],
    ['no inherited member', {}, { op: 'remove', path: '/toString' }],
    ['no way through an inherited member', {}, { op: 'add', path: '/constructor/x', value: 1 }],
    ['no such item', [1], { op: 'replace', path: '/1', value: 2 }],
    ['beyond the end', [1], { op: 'add', path: '/3', value: 2 }],
    ['an index with a leading zero', [1, 2], { op: 'remove', path: '/01' }],
    ['a member of a number', { a: 1 }, { op: 'add', path: '/a/b', value: 2 }],
    ['no pointer', {}, { op: 'add', path: 'a', value: 2 }],
    ['a lone tilde', { '~': 1 }, { op: 'remove', path: '/~' }],
    ['into itself', { a: { b: 1 } }, { op: 'move', from: '/a', path: '/a/b' }],
    ['the whole', { a: 1 }, { op: 'remove', path: '' }],
  ])('%s', (_, value, operation) => {
    expect(() => applyPatch(value, [operation])).toThrow(PatchError);
  });
});
