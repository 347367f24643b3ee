import { expect, test } from 'vitest';
import { type JsonProblem, readJson } from './json-text.ts';
import { LIMITS } from './limits.ts';

const ENOUGH = 1_000_000;

function problemOf(text: string, maxChars = ENOUGH): JsonProblem {
  const result = readJson(text, maxChars);
  if (result.ok) throw new Error(`This was read: ${text.slice(0, 200)}`);
  return result.problem;
}

const read = (text: string, maxChars = ENOUGH) => readJson(text, maxChars);

test('text of exactly the limit is read, and one character more is refused', () => {
  expect(read('"1234"', 6)).toEqual({ ok: true, value: '1234' });
  expect(problemOf('"12345"', 6)).toEqual({ path: '', message: 'is 7 characters long; the limit is 6' });
});

test('a text over the limit is refused before it is parsed', () => {
  expect(problemOf('this is not JSON', 6).message).toContain('the limit is 6');
});

const arrays = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);
const objects = (levels: number, inside = '1') => '{"a":'.repeat(levels) + inside + '}'.repeat(levels);

test.each([
  ['lists', arrays],
  ['objects', objects],
  ['both', (levels: number) => arrays(levels / 2, objects(levels - levels / 2))],
])('%s may nest 64 levels and no more', (_of, nest) => {
  expect(LIMITS.depth.value).toBe(64);
  expect(read(nest(64)).ok).toBe(true);
  expect(problemOf(nest(66))).toEqual({ path: '', message: 'nests deeper than 64 levels' });
});

test('one level more than 64 is too deep', () => {
  expect(problemOf(arrays(65)).message).toBe('nests deeper than 64 levels');
  expect(problemOf(objects(65)).message).toBe('nests deeper than 64 levels');
  expect(problemOf('['.repeat(65)).message).toBe('nests deeper than 64 levels');
});

test('depth counts nesting, not brackets', () => {
  const wide = `[${Array(1_000).fill('[{}]').join()}]`;
  expect(read(wide).ok).toBe(true);
  expect(problemOf(`[${wide},${arrays(64)}]`).message).toBe('nests deeper than 64 levels');
});

test.each([
  ['brackets', '[[[{{{'.repeat(20)],
  ['escaped quotes before brackets', `\\"${'['.repeat(100)}\\"`],
  ['backslashes before the closing quote', `${'['.repeat(100)}\\\\`],
  ['an escaped backslash and an escaped quote', `\\\\\\"${'{'.repeat(100)}`],
])('%s inside a string do not count as depth', (_what, inside) => {
  const text = `["${inside}"]`;
  expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
  expect(read(arrays(63, text)).ok).toBe(true);
  expect(problemOf(arrays(64, text)).message).toBe('nests deeper than 64 levels');
});

test('brackets after a string that ends in a backslash count', () => {
  expect(problemOf(`["\\\\",${arrays(64)}]`).message).toBe('nests deeper than 64 levels');
});

test('a million brackets are refused at once, whatever surrounds them', () => {
  const started = performance.now();
  for (const text of ['['.repeat(ENOUGH), '{"a":'.repeat(ENOUGH / 5), `"x"${'['.repeat(ENOUGH - 3)}`])
    expect(problemOf(text).message).toBe('nests deeper than 64 levels');
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('an open string full of quotes and backslashes takes linear time', () => {
  const started = performance.now();
  for (const text of [
    `"${'\\'.repeat(ENOUGH - 1)}`,
    `"${'\\"'.repeat(ENOUGH / 2 - 1)}`,
    `${'['.repeat(64)}"`,
  ])
    expect(problemOf(text).message).toContain('is not JSON');
  expect(performance.now() - started).toBeLessThan(1_000);
});

test.each([
  ['{"__proto__":1}', '__proto__'],
  ['{"a":{"b":{"__proto__":{}}}}', 'a.b.__proto__'],
  ['[0,[{"__proto__":null}]]', '[1][0].__proto__'],
  ['{"a":[{"__proto__":[]}]}', 'a[0].__proto__'],
  ['{"\\u005f_proto__":1}', '__proto__'],
  ['{"a":[{"\\u005F\\u005fprot\\u006f__":1}]}', 'a[0].__proto__'],
  ['{"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":1}', '__proto__'],
  ['{"constructor":{"prototype":{}}}', 'constructor.prototype'],
  ['{"a":[{"constructor":{"x":1,"prototype":null}}]}', 'a[0].constructor.prototype'],
  ['{"\\u0063onstructor":{"protot\\u0079pe":1}}', 'constructor.prototype'],
  ['{"constructor":{"constructor":{"prototype":1}}}', 'constructor.constructor.prototype'],
])('the key in %s is refused at %s', (text, path) => {
  expect(problemOf(text)).toEqual({
    path,
    message: 'is a key that reaches an object prototype, which is never allowed',
  });
});

test('a prototype key is found at the deepest level allowed', () => {
  const key = '{"__proto__":1}';
  expect(problemOf(arrays(63, key)).path).toBe(`${'[0]'.repeat(63)}.__proto__`);
});

test.each([
  '"__proto__"',
  '{"key":"__proto__"}',
  '["__proto__","constructor","prototype"]',
  '{"constructor":"prototype"}',
  '{"constructor":["prototype"]}',
  '{"constructor":{}}',
  '{"prototype":{"constructor":1}}',
  '{"proto":1,"_proto__":2,"__PROTO__":3}',
  '{"text":"\\u005f\\u005fproto\\u005f\\u005f"}',
])('%s names no prototype as a key, and is read', (text) => {
  expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
});

test('a refused prototype key changes nothing', () => {
  problemOf('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
  expect({}).not.toHaveProperty('polluted');
});

test.each(['', ' ', '{', '[1,]', "{'a':1}", '{"a":1}}', 'undefined', 'NaN', '"\n"', '"\\x"', '01', '// x'])(
  '%j is not JSON',
  (text) => {
    expect(problemOf(text)).toMatchObject({ path: '', message: expect.stringMatching(/^is not JSON/) });
  },
);

test.each([
  ['{"a":1}}', 'is not JSON, from character 8 on'],
  ['"abc', 'is not JSON, from character 5 on'],
  ['{"a":', 'is not JSON: it ends too early'],
  ['at position 1234', 'is not JSON'],
  ['Unexpected end of JSON', 'is not JSON'],
])('%s is refused with its position, when the engine reports it', (text, message) => {
  expect(problemOf(text).message).toBe(message);
});

test('an error never quotes the text, which may contain a secret', () => {
  const secret = 'hunter2';
  const texts = [
    secret,
    `{"password":"${secret}"`,
    `{"password":${secret}}`,
    `{"a":"${secret}",}`,
    `{"a":"${secret}\n"}`,
    `${'['.repeat(65)}"${secret}"`,
    `{"__proto__":"${secret}"}`,
    `{"a":"${secret}${'x'.repeat(ENOUGH)}"}`,
  ];
  for (const text of texts) expect(JSON.stringify(problemOf(text))).not.toContain(secret);
});
