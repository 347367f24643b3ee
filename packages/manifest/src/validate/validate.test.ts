import { describe, expect, test } from 'vitest';
import { errorsOf, put, SHOP } from '../../test/validate/sample-map.ts';
import { validate } from './validate.ts';

const text = (lines: readonly string[]) => lines.join('\n');

test('the sample map has no error and no warning', () => {
  expect(validate(SHOP)).toEqual({ ok: true, map: SHOP, errors: [], warnings: [] });
});

describe('invalid text', () => {
  test('[MAN-09] text that is not JSON is refused with line and column', () => {
    const broken = text(['{', '  "protocol": "actions.json",', '  "version": 1', '  "tools": []', '}']);
    expect(validate(broken)).toEqual({
      ok: false,
      errors: [
        {
          code: 'invalid_json',
          pointer: '',
          line: 4,
          column: 3,
          message: 'A comma is missing before this.',
          expected: 'JSON',
        },
      ],
      warnings: [],
    });
  });

  test('[MAN-09] several mistakes are reported together', () => {
    const broken = text(['{', '  "version": 01,', "  'tools': [],", '  "name": tru,', '}']);
    expect(validate(broken).errors.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });

  test.each([
    ['', 'The file is empty'],
    ['\uFEFF{}', 'byte order mark'],
    ['{"a":1,}', 'the comma before it is one too many'],
    ['{"a":[1,]}', 'the comma before it is one too many'],
    ["{'a':1}", 'double quotes'],
    ['{"a":1 // b\n}', 'JSON has no comments'],
    ['{"a":"b\n}', 'The closing quote of this text is missing'],
    ['{"a":1', 'A closing } is missing'],
    ['{} {}', 'has ended before this'],
  ])('[MAN-09] %j is explained in words', (source, words) => {
    expect(validate(source).errors[0]?.message).toContain(words);
  });

  test.each(['', ' ', 'null', '[]', '7', '"map"', '{', '[}', '\u0000', '\uFEFF{}', '{"a":1}x', '// {}'])(
    '[MAN-09] %j is refused and nothing throws',
    (source) => expect(validate(source)).toMatchObject({ ok: false }),
  );

  test('[MAN-09] text nested deeper than the limit is refused at that position', () => {
    const deep = `{"protocol":"actions.json","version":1,"tools":[],\n"x_deep":${'['.repeat(64)}${']'.repeat(64)}}`;
    expect(validate(deep).errors).toMatchObject([{ code: 'too_deep', line: 2, column: 73 }]);
    const deepest = deep.replace('[[', '[').replace(']]', ']');
    expect(validate(deepest)).toMatchObject({ ok: true });
    expect(validate(`${'['.repeat(1_000_000)}`).errors).toMatchObject([{ code: 'too_deep' }]);
  });

  test('a map longer than the limit is refused', () => {
    expect(validate(SHOP, { limits: { maxChars: 100 } }).errors).toMatchObject([{ code: 'too_large' }]);
  });

  test.each([
    [undefined],
    [() => 1],
    [10n],
    [Symbol('map')],
    [
      (() => {
        const map: Record<string, unknown> = {};
        map['self'] = map;
        return map;
      })(),
    ],
  ])('a value that JSON cannot hold is refused: %s', (value) =>
    expect(validate(value)).toMatchObject({ ok: false, errors: [{ code: 'invalid_json' }] }),
  );
});

describe('keys', () => {
  test('a duplicate key is an error at the second one', () => {
    const twice = '{"protocol":"actions.json","version":1,\n "tools":[],\n "tools":[]}';
    expect(validate(twice).errors).toEqual([
      {
        code: 'duplicate_key',
        pointer: '/tools',
        line: 3,
        column: 2,
        message: 'tools is written twice; only the last one would count.',
        expected: 'each key once',
      },
    ]);
  });

  test('a duplicate key does not hide other errors', () => {
    const twice = '{"protocol":"actions.json","version":2,"x":{"a":1,"\\u0061":2},"tools":[]}';
    expect(errorsOf(twice)).toEqual(['duplicate_key /x/a', 'unsupported_version /version']);
  });

  test.each(['"a\\"b":1,"a\\"c":2', '"a:b":":","c":"\\\\"', '"":1," ":2', '"l":["k",{"k":"k"},"k"]'])(
    'keys that only look alike are fine: %s',
    (keys) =>
      expect(errorsOf(`{"protocol":"actions.json","version":1,"tools":[],"x_":{${keys}}}`)).toEqual([]),
  );

  test.each(['"__proto__":{}', '"\\u005f_proto__":{}', '"constructor":{"prototype":{}}'])(
    'a key that reaches a prototype is refused: %s',
    (key) =>
      expect(errorsOf(`{"protocol":"actions.json","version":1,"tools":[],"x_":{${key}}}`)).toEqual([
        expect.stringMatching(/^prototype_key \/x_\//),
      ]),
  );
});

describe('errors', () => {
  test('[MAN-104] all errors are reported at once, with code, pointer, line, column and expectation', () => {
    const source = text([
      '{',
      '  "protocol": "actions.json",',
      '  "version": "1",',
      '  "tools": [',
      '    {',
      '      "name": "cart add",',
      '      "description": "Adds.",',
      '      "x_actions": { "handler": "cart.add", "effect": "irreversable" }',
      '    }',
      '  ],',
      '  "transitions": [{ "name": "open", "from": "closed" }]',
      '}',
    ]);
    expect(validate(source).errors).toEqual([
      {
        code: 'unsupported_version',
        pointer: '/version',
        line: 3,
        column: 14,
        message: expect.any(String),
        expected: '1',
      },
      {
        code: 'missing_field',
        pointer: '/tools/0/input_schema',
        line: 5,
        column: 5,
        message: 'tool `cart add`: input_schema is missing: it must be an object.',
        expected: 'an object',
      },
      {
        code: 'unsafe_identifier',
        pointer: '/tools/0/name',
        line: 6,
        column: 15,
        message: expect.any(String),
        expected: expect.stringContaining('safe identifier'),
      },
      {
        code: 'wrong_value',
        pointer: '/tools/0/x_actions/effect',
        line: 8,
        column: 55,
        message:
          'tool `cart add`: x_actions.effect must be one of "read", "act", "irreversible"; got "irreversable"; did you mean `irreversible`?',
        expected: 'one of "read", "act", "irreversible"',
        suggestion: 'did you mean `irreversible`?',
      },
      {
        code: 'unknown_state',
        pointer: '/transitions/0/from',
        line: 11,
        column: 45,
        message: expect.any(String),
        expected: expect.any(String),
      },
    ]);
  });

  test('[MAN-105] an unknown field of a closed part gets a suggestion when one is near', () => {
    const near = validate(put('tools.0.workflow.steps.1.settle_afer', { delay_ms: 1 }));
    expect(near.errors).toMatchObject([
      {
        code: 'unknown_field',
        pointer: '/tools/0/workflow/steps/1/settle_afer',
        message: 'tool `cart.add`, step `press` has no field `settle_afer`; did you mean `settle_after`?',
        suggestion: 'did you mean `settle_after`?',
      },
    ]);
    const far = validate(put('tools.0.workflow.steps.1.colour', 'red'));
    expect(far.errors[0]).not.toHaveProperty('suggestion');
  });

  test('positions of a value refer to its printed form', () => {
    const [error] = validate({ protocol: 'actions.json', version: 2, tools: [] }).errors;
    expect(error).toMatchObject({ line: 3, column: 14 });
  });

  test('a line break of two characters counts once', () => {
    expect(validate('{\r\n"protocol": "actions.json",\r\n"version": 2, "tools": []}').errors).toMatchObject([
      { line: 3, column: 12 },
    ]);
  });
});
