import { describe, expect, test } from 'vitest';
import { checkSchema, compileSchema } from './json-schema.ts';

const problemsOf = (schema: object) =>
  compileSchema(schema).problems.map(({ at, code }) => `${code} /${at.join('/')}`);

describe('[MAN-237] values against schemas', () => {
  test.each<[object, readonly unknown[], readonly unknown[]]>([
    [{ type: 'string' }, ['', 'a'], [1, null, [], {}]],
    [{ type: ['string', 'null'] }, ['a', null], [1]],
    [{ enum: ['a', 1] }, ['a', 1], ['b', '1']],
    [{ type: 'string', pattern: '^a+$' }, ['a', 'aaa'], ['', 'b', 'ab', 1]],
    [{ pattern: '^a+$' }, ['a', 1, null], ['b']],
    [{ minimum: 1, maximum: 2 }, [1, 2, 'text'], [0, 3]],
    [{ type: 'array', items: { type: 'number' }, uniqueItems: true }, [[], [1, 2]], [[1, 1], ['1']]],
    [{ required: ['a'], properties: { a: { const: 1 } } }, [{ a: 1 }, { a: 1, b: 2 }], [{}, { a: 2 }]],
    [{ properties: { a: {} }, additionalProperties: false }, [{}, { a: 1 }], [{ b: 1 }]],
    [{ patternProperties: { '^x_': { type: 'string' } } }, [{}, { x_a: 's', b: 1 }, 7], [{ x_a: 1 }]],
    [
      {
        properties: { a: {} },
        patternProperties: { '^x_': {}, _n$: { type: 'number' } },
        additionalProperties: false,
      },
      [{ a: 1, x_b: 's', c_n: 1 }, { x_n: 1 }],
      [{ b: 1 }, { x_n: 's' }, { c_n: 's' }],
    ],
    [{ $defs: { id: { type: 'integer' } }, items: { $ref: '#/$defs/id' } }, [[1], 'text'], [['a'], [1, 'a']]],
    [
      { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } },
      [{}, { children: [{ children: [{}] }] }],
      [{ children: [{ children: [7] }] }, { children: 7 }],
    ],
    [
      { items: { $ref: '#id' }, $defs: { any: { $anchor: 'id', type: 'integer' } } },
      [[1]],
      [['a'], [1, 'a']],
    ],
    [{ properties: { a: {} }, unevaluatedProperties: false }, [{}, { a: 1 }, 'text'], [{ b: 1 }]],
    [
      {
        $ref: '#base',
        properties: { c: {} },
        unevaluatedProperties: false,
        $defs: { x: { $anchor: 'base', required: ['a'], properties: { a: {}, b: { type: 'string' } } } },
      },
      [{ a: 1 }, { a: 1, b: 's', c: 1 }],
      [{ c: 1 }, { a: 1, b: 1 }, { a: 1, d: 1 }],
    ],
    [
      {
        anyOf: [
          { properties: { kind: { const: 'card' }, number: {} }, required: ['kind', 'number'] },
          { properties: { kind: { const: 'bank' }, iban: {} }, required: ['kind', 'iban'] },
        ],
        unevaluatedProperties: false,
      },
      [
        { kind: 'card', number: 1 },
        { kind: 'bank', iban: 1 },
      ],
      [{ kind: 'card', number: 1, iban: 1 }, { kind: 'bank' }],
    ],
    [
      { properties: { a: {} }, unevaluatedProperties: { type: 'number' } },
      [{ a: 's', b: 1 }],
      [{ a: 's', b: 's' }],
    ],
    [
      {
        $ref: '#tree',
        $defs: {
          tree: { $anchor: 'tree', properties: { next: { $ref: '#tree' } }, unevaluatedProperties: false },
        },
      },
      [{}, { next: { next: {} } }],
      [{ next: { next: { x: 1 } } }],
    ],
    [{ prefixItems: [{ type: 'string' }], unevaluatedItems: false }, [[], ['a']], [['a', 1], [1]]],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, ['a', 1], [true]],
    [{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, [0, 6], [3]],
    [{ not: { type: 'string' } }, [1], ['a']],
    [{ type: 'string', format: 'date' }, ['2026-01-31'], ['yesterday']],
    [{ 'x-unknown': { any: 'thing' }, title: 'Any', default: 1 }, [1, null, {}], []],
  ])('%j', (schema, good, bad) => {
    expect(problemsOf(schema)).toEqual([]);
    for (const value of good) expect(checkSchema(schema, value)).toEqual({ ok: true });
    for (const value of bad) expect(checkSchema(schema, value)).toMatchObject({ ok: false });
  });

  test.each([
    [{ type: 'string' }, 7, '', 'must be a string; got 7'],
    [{ properties: { q: { type: 'string' } }, required: ['q'] }, {}, 'q', 'must be a string; got nothing'],
    [
      { properties: { a: { items: { properties: { n: { enum: ['x', 'y'] } } } } } },
      { a: [{ n: 'x' }, { n: 'z' }] },
      'a[1].n',
      'must be one of "x", "y"; got "z"',
    ],
    [{ additionalProperties: false }, { b: 1 }, 'b', 'must be absent, as there is no such field; got 1'],
    [{ uniqueItems: true }, [1, 1], '', 'must not have duplicate items'],
    [
      { $defs: { n: { properties: { c: { type: 'string' } } } }, properties: { a: { $ref: '#/$defs/n' } } },
      { a: { c: 1 } },
      'a.c',
      'must be a string; got 1',
    ],
    [{ patternProperties: { '^n_': { items: { type: 'number' } } } }, { n_a: [1, 'b'] }, 'n_a[1]', /number/],
    [
      { properties: { to: { $ref: '#to' } }, $defs: { to: { $anchor: 'to', unevaluatedProperties: false } } },
      { to: { b: 1 } },
      'to.b',
      'must be absent, as nothing in its schema names it',
    ],
    [
      { properties: { list: { uniqueItems: true } }, unevaluatedProperties: false },
      { list: [1, 1] },
      'list',
      'must not have duplicate items',
    ],
    [
      { type: 'string', pattern: '^[a-z]+$' },
      'A',
      '',
      'must be a string that matches ^[a-z]+$; got a string',
    ],
    [
      {
        properties: { n: { items: { anyOf: [{ type: 'null' }, { type: 'integer', exclusiveMinimum: 0 }] } } },
      },
      { n: [1, 0] },
      'n[1]',
      'must be a whole number; got 0',
    ],
  ])('a failure says where and what: %j', (schema, value, path, message) => {
    const result = checkSchema(schema, value);
    expect(result).toMatchObject({ ok: false, path });
    expect('message' in result ? result.message : '').toMatch(message);
  });
});

test('a mismatch deep inside a recursive schema has its path', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' }, name: { type: 'string' } } };
  let value: object = { name: 7 };
  for (let depth = 0; depth < 50; depth++) value = { next: value };
  const path = [...Array.from({ length: 50 }, () => 'next'), 'name'].join('.');
  expect(checkSchema(schema, value)).toEqual({ ok: false, path, message: 'must be a string; got 7' });
});

describe('schemas that cannot be applied', () => {
  test.each<[object, string]>([
    [{ type: 'text' }, 'invalid_schema /type'],
    [{ type: [] }, 'invalid_schema /type'],
    [{ properties: [] }, 'invalid_schema /properties'],
    [{ properties: { a: 'string' } }, 'invalid_schema /properties/a'],
    [{ required: 'a' }, 'invalid_schema /required'],
    [{ minimum: '1' }, 'invalid_schema /minimum'],
    [{ exclusiveMinimum: true }, 'invalid_schema /exclusiveMinimum'],
    [{ multipleOf: 0 }, 'invalid_schema /multipleOf'],
    [{ minLength: -1 }, 'invalid_schema /minLength'],
    [{ items: 7 }, 'invalid_schema /items'],
    [{ anyOf: {} }, 'invalid_schema /anyOf'],
    [{ allOf: [{}, 7] }, 'invalid_schema /allOf/1'],
    [{ $ref: 'https://schemas.example/a.json' }, 'invalid_schema /$ref'],
    [{ $ref: '#/$defs/none' }, 'invalid_schema /$ref'],
    [{ $ref: '#' }, 'invalid_schema /'],
    [
      { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } },
      'invalid_schema /',
    ],
    [{ unevaluatedProperties: 7 }, 'invalid_schema /unevaluatedProperties'],
    [{ unevaluatedProperties: false, patternProperties: { '^a': {} } }, 'invalid_schema /patternProperties'],
    [{ $anchor: '#a' }, 'invalid_schema /$anchor'],
    [{ $ref: '#none' }, 'invalid_schema /$ref'],
    [{ $ref: '#a', $defs: { a: { $anchor: 'a' }, b: { $anchor: 'a' } } }, 'invalid_schema /$ref'],
    [{ $ref: '#a', const: { $anchor: 'a' } }, 'invalid_schema /$ref'],
    [{ $ref: '#', unevaluatedProperties: false }, 'invalid_schema /'],
    [{ pattern: 7 }, 'invalid_schema /pattern'],
    [{ pattern: '(' }, 'unsafe_pattern /pattern'],
    [{ pattern: '(?=a)b' }, 'unsafe_pattern /pattern'],
    [{ pattern: '(a)\\1' }, 'unsafe_pattern /pattern'],
    [{ patternProperties: { '(?!a)': {} } }, 'unsafe_pattern /patternProperties/(?!a)'],
    [{ $defs: { a: { pattern: '(' } } }, 'unsafe_pattern /$defs/a/pattern'],
    [{ items: { $ref: '#/$defs/a' }, $defs: { a: { pattern: '(' } } }, 'unsafe_pattern /$defs/a/pattern'],
    [{ items: { $ref: '#/x/a' }, x: { a: { type: 'text' } } }, 'invalid_schema /x/a/type'],
  ])('%j', (schema, problem) => {
    expect(problemsOf(schema)).toEqual([problem]);
    expect(checkSchema(schema, {})).toMatchObject({ ok: false });
  });
});

describe('schemas that want to hang their host', () => {
  const QUICK_MS = 1_500;
  const many = <Item>(length: number, item: (at: number) => Item): readonly Item[] =>
    Array.from({ length }, (_, at) => item(at));
  const row = many(300, () => 1);
  const named = (count: number) => Object.fromEntries(many(count, (at) => [`name_${at}`, {}]));
  const nested = (depth: number, around: (inner: object) => object): object =>
    many(depth, (at) => at).reduce<object>((inner) => around(inner), {});

  test('patterns that backtrack elsewhere stay linear', { timeout: QUICK_MS }, () => {
    const text = `${'a'.repeat(50_000)}!`;
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){20}$', '(x+x+)+y'])
      expect(checkSchema({ pattern }, text)).toMatchObject({ ok: false });
    expect(checkSchema({ patternProperties: { '^(a+)+$': false } }, { [text]: 1 })).toEqual({ ok: true });
  });

  test('references that double at every level exceed their budget', { timeout: QUICK_MS }, () => {
    const $defs: Record<string, object> = { d0: { type: 'string' } };
    for (let level = 1; level <= 40; level++) {
      const below = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { anyOf: [below, below] };
    }
    expect(checkSchema({ $defs, $ref: '#/$defs/d40' }, 7)).toMatchObject({ ok: false });
  });

  test('a schema that visits every child twice exceeds its budget', { timeout: QUICK_MS }, () => {
    const child = { properties: { c: { $ref: '#' } } };
    let value: object = {};
    for (let depth = 0; depth < 60; depth++) value = { c: value };
    expect(checkSchema({ allOf: [child, child] }, value)).toMatchObject({ ok: false });
  });

  /** CPU time of the thread, which does not depend on the load of the machine. */
  const MOST_HELD_MS = 1_000;
  const heldMs = (run: () => void): number => {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };

  test.each<[string, object, unknown]>([
    ['alternatives', { items: { anyOf: many(250, (at) => ({ const: at })) } }, many(20_000, () => 899)],
    ['alternatives that all fit', { items: { anyOf: many(250, () => ({})) } }, many(20_000, () => 1)],
    ['exclusive alternatives', { items: { oneOf: many(250, () => ({})) } }, many(20_000, () => 1)],
    ['a list of values', { items: { enum: many(50_000, (at) => at) } }, many(50_000, () => 49_999)],
    ['large values', { items: { enum: many(300, () => row) } }, many(3_000, () => row)],
    [
      'required names',
      { items: { required: many(20_000, (at) => `name_${at}`) } },
      many(20_000, () => named(9)),
    ],
    [
      'names of properties',
      { items: { properties: named(10_000), additionalProperties: false } },
      many(2_000, () => named(10)),
    ],
    ['conditions', nested(200, (inner) => ({ if: { maxItems: 9 }, else: inner })), many(200_000, () => 1)],
    [
      'long texts',
      { items: { allOf: many(250, () => ({ minLength: 5 })) } },
      many(50, () => 'x'.repeat(99_999)),
    ],
    ['duplicates', { uniqueItems: true }, many(400_000, () => 1)],
    [
      'references with unevaluated properties',
      { allOf: many(2, () => ({ properties: { c: { $ref: '#' } } })), unevaluatedProperties: false },
      many(60, (at) => at).reduce<object>((c) => ({ c }), {}),
    ],
  ])('%s for very many values are given up within a second', (_, schema, value) => {
    let result: object = {};
    expect(heldMs(() => (result = checkSchema(schema, value)))).toBeLessThan(MOST_HELD_MS);
    expect(result).toMatchObject({ ok: false, path: '' });
  });

  test('a list has at most 256 alternatives', () => {
    expect(problemsOf({ anyOf: many(257, () => ({})) })).toEqual(['invalid_schema /anyOf']);
    expect(checkSchema({ anyOf: many(256, () => ({})) }, 1)).toEqual({ ok: true });
  });

  test('a duplicate is reported at its position', () => {
    expect(checkSchema({ items: { uniqueItems: true } }, [[1, 2, 1]])).toEqual({
      ...{ ok: false, path: '[0]', message: 'must not have duplicate items' },
    });
  });

  test('many plain values pass a small schema', () => {
    const rows = { items: { properties: { id: { type: 'number' }, name: { type: 'string' } } } };
    expect(
      checkSchema(
        rows,
        many(20_000, (id) => ({ id, name: 'x' })),
      ),
    ).toEqual({ ok: true });
  });

  test('schema keys that would reach into the checker are ignored', () => {
    const hostile = JSON.parse('{"~refine":[{"check":1}],"__proto__":{"type":"string"},"type":"number"}');
    expect(checkSchema(hostile, 7)).toEqual({ ok: true });
    expect(checkSchema(hostile, 'a')).toMatchObject({ ok: false });
  });
});

describe('budgets of patterns', () => {
  const many = (count: number, source: (at: number) => string) => ({
    patternProperties: Object.fromEntries(Array.from({ length: count }, (_, at) => [source(at), true])),
  });

  test('a schema has at most 100 patterns', () => {
    expect(problemsOf(many(100, (at) => `^x${at}$`))).toEqual([]);
    expect(problemsOf(many(101, (at) => `^x${at}$`))).toEqual(['unsafe_pattern /patternProperties/^x100$']);
  });

  test.each([
    ['many counts', 'a{1000}'.repeat(250)],
    ['a count of a long group', `(?:${'ab'.repeat(900)}){1000}`],
    ['nested counts', '((?:abc){30}){30}'.repeat(5)],
    ['counts of classes', '[\\w\\W]{1000}'.repeat(100)],
  ])('a pattern of %s is refused before it is compiled', (_, pattern) => {
    expect(compileSchema({ pattern }).problems).toMatchObject([
      { code: 'unsafe_pattern', message: expect.stringMatching(/repeats too much|too large together/) },
    ]);
  });

  test('all patterns of a schema together are limited', () => {
    const [problem] = problemsOf(many(50, (at) => `a{900}${at}`));
    expect(problem).toMatch(/^unsafe_pattern/);
    expect(problemsOf(many(5, (at) => `a{900}${at}`))).toEqual([]);
  });

  test('all pattern tests of one check together are limited', () => {
    const schema = many(10, (at) => `(?:ab){400}${at}`);
    const value = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${'ab'.repeat(100)}${at}`, 1]));
    expect(checkSchema(schema, value)).toMatchObject({
      ok: false,
      message: expect.stringContaining('too long for its schema'),
    });
    expect(checkSchema(schema, { ab: 1 })).toEqual({ ok: true });
  });

  test('a schema with very many problems reports the first ones', () => {
    const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, 7]));
    expect(problemsOf({ properties })).toHaveLength(100);
  });
});

test.each([
  ['', { maxItems: 2 }, Array.from({ length: 300_000 }, () => 'x')],
  ['list', { properties: { list: { maxItems: 2 } } }, { list: Array.from({ length: 300_000 }, () => 'x') }],
])('a list beyond its maxItems is refused by its length: %s', (path, schema, value) => {
  const message = 'must be a list of at most 2 items; got a list of 300000';
  expect(checkSchema(schema, value)).toEqual({ ok: false, path, message });
});
