import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BridgeError } from '../wire/bridge-error.ts';
import { type Action, type ActionArgument, formatAction, parseAction } from './action-string.ts';

/** Any text, lone surrogates and control characters included. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom('', '7', '007', '")', "'", '\\', '\\"', '), click(1', '{"a":1}', '\u2028', 'null'),
);

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.]{0,20}$/);

const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

/**
 * V8 reads an escaped key as an earlier one with a backslash: https://github.com/nodejs/node/issues/63785.
 */
const anyKey = anyText.filter((text) => !text.includes('\\'));

const anyObject = fc
  .dictionary(anyKey, fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null), fc.array(anyText)))
  .filter((object) => !Object.hasOwn(object, '__proto__') && !Object.hasOwn(object, 'constructor'))
  .map((object): ActionArgument => ({ ...object }));

const anyArgument = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null), anyObject);

test.each<[string, Action]>([
  ['click(42)', { name: 'click', args: ['42'] }],
  ['setValue(13, "space x")', { name: 'setValue', args: ['13', 'space x'] }],
  ['navigate("https://example.com")', { name: 'navigate', args: ['https://example.com'] }],
  ['scroll(7)', { name: 'scroll', args: ['7'] }],
  ['finish()', { name: 'finish', args: [] }],
  ['fail()', { name: 'fail', args: [] }],
  ['drag("2-7", "2-8", 0.5, true, null)', { name: 'drag', args: ['2-7', '2-8', 0.5, true, null] }],
  ['hover({"i":"}"}, {"n":1})', { name: 'hover', args: [{ i: '}' }, { n: 1 }] }],
])('[INT-51] %s is read and written', (written, action) => {
  expect(parseAction(written)).toEqual(action);
  expect(formatAction(action)).toBe(written);
});

test('[INT-51] white space around the parts is ignored', () => {
  const action = { name: 'setValue', args: ['13', 'a b'] };
  expect(parseAction('  setValue ( 13 ,"a b" )\n')).toEqual(action);
});

test('[INT-52] an id of digits is written bare, any other quoted, and both forms read alike', () => {
  expect(formatAction({ name: 'click', args: ['7'] })).toBe('click(7)');
  expect(formatAction({ name: 'click', args: ['2-7'] })).toBe('click("2-7")');
  expect(formatAction({ name: 'click', args: ['-7'] })).toBe('click("-7")');
  expect(parseAction('click(7)')).toEqual(parseAction('click("7")'));
  expect(parseAction("click('7')")).toEqual({ name: 'click', args: ['7'] });
  expect(parseAction('setValue(7, 8)').args).toEqual(['7', 8]);
});

test('[INT-53] any text is unchanged after a round trip', () => {
  fc.assert(
    fc.property(name, fc.array(anyText), fc.array(anyArgument), (name, texts, others) => {
      const args = texts.length === 0 ? [] : [...texts, ...others];
      expect(parseAction(formatAction({ name, args }))).toEqual({ name, args });
    }),
    { numRuns: 2_000 },
  );
});

test('[INT-53] single-quoted text is read too', () => {
  const lines: readonly (readonly [string, string])[] = [
    ["'space x'", 'space x'],
    ['\'say "hi"\'', 'say "hi"'],
    ["'it\\'s'", "it's"],
    ["'a\\nb\\\\c\\u0041'", 'a\nb\\cA'],
    ["'two\nlines\tand \u0001'", 'two\nlines\tand \u0001'],
    ["''", ''],
    ["'), click(2'", '), click(2'],
  ];
  for (const [written, text] of lines)
    expect(parseAction(`setValue(1, ${written})`).args).toEqual(['1', text]);
  const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
  fc.assert(
    fc.property(anyText, (text) => {
      expect(parseAction(`type(${quoted(text)})`).args).toEqual([text]);
    }),
    { numRuns: 2_000 },
  );
});

function refusalOf(text: string): BridgeError {
  try {
    parseAction(text);
  } catch (error) {
    if (error instanceof BridgeError) return error;
    throw error;
  }
  throw new Error(`This was read as an action: ${text}`);
}

test.each([
  '',
  'click',
  'click(',
  'click(7',
  'click 7',
  'click(7))',
  'click(7); click(8)',
  'click(7,)',
  'click(,7)',
  'click(7 8)',
  'click(seven)',
  'setValue(1, "open)',
  "setValue(1, 'open)",
  'setValue(1, "bad \\x escape")',
  'hover({"a":1)',
  'hover({a:1})',
  'hover([1])',
  'hover({"__proto__":{"a":1}})',
  '7(7)',
  'Click the button',
])('[INT-54] %j is no action, and the error quotes it', (text) => {
  const error = refusalOf(text);
  expect(error).toMatchObject({ code: 'invalid_input', evidence: { path: 'action' } });
  expect(error.message).toContain(JSON.stringify(text));
});

test('[INT-54] any text, however long, is an action or an error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => `click(${text})`),
      ),
      (text) => {
        try {
          expect(parseAction(text).name).toMatch(/^[A-Za-z]/);
        } catch (error) {
          expect(error).toBeInstanceOf(BridgeError);
        }
      },
    ),
    { numRuns: 2_000 },
  );
  for (const text of [`type("${'\\n'.repeat(500_000)}")`, `type('${"\\'".repeat(500_000)}')`])
    expect(parseAction(text).args).toHaveLength(1);
  for (const text of [
    'x'.repeat(5_000_000),
    `type("${'\\n'.repeat(5_000_000)}")`,
    `f(${'{"a":'.repeat(100_000)}`,
  ])
    expect(refusalOf(text).message.length).toBeLessThan(300);
});
