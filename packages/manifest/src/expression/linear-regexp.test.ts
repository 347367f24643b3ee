import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LinearRegExp, patternProblem } from './linear-regexp.ts';

/** All matches, read like JSONata does: set `lastIndex`, then `exec` again. */
function matches(
  engine: { lastIndex: number; exec(text: string): RegExpExecArray | (string | undefined)[] | null },
  text: string,
) {
  const found: unknown[] = [];
  engine.lastIndex = 0;
  for (let match = engine.exec(text); match !== null && found.length < 20; match = engine.exec(text)) {
    found.push([engine.lastIndex, 'index' in match ? match.index : -1, [...match]]);
    if (match[0] === '') break;
  }
  return found;
}

const agree = (pattern: RegExp, text: string) =>
  expect(matches(new LinearRegExp(pattern), text)).toEqual(matches(new RegExp(pattern), text));

describe('[MAN-186] a linear pattern finds the same matches as RegExp', () => {
  const TEXT = 'ab\tAB\u00a0a.b [x] \r\n\u2028z_9-\u000b\f/\\ 日本 é \ufeff$^{2}(q)|*+?k=v';

  test.each([
    ...[
      'a',
      'ab|b',
      'a*',
      'a+?',
      '[ab]',
      '[^ab]',
      '\\w+',
      '\\W',
      '\\d',
      '\\D+',
      '\\s',
      '\\S+',
      '[\\s]',
      '[^\\s]',
    ],
    ...[
      '[\\S]',
      '[\\w-]',
      '.',
      '.+',
      '[^]',
      '[]',
      '^a',
      'v$',
      '\\bAB\\b',
      '\\B.',
      '(a)(b)?',
      '(?:a|b)+',
      '(x)|(y)',
    ],
    ...[
      '\\.',
      '\\[x\\]',
      '[\\]\\[]',
      '[.]',
      '\\/',
      '\\\\',
      '\\t',
      '\\v',
      '\\f',
      '\\0',
      '\\u2028',
      '\\x41',
      '\\cI',
    ],
    ...[
      'a{1,2}',
      '\\{2\\}',
      '[[]',
      '[a-c]',
      '[\\b]',
      '\\-',
      '\\$',
      '(?<k>k)=(?<v>v)',
      '\\u0041b',
      '日',
      '[^\\d\\s]+',
    ],
    ...['\\q', '\\%', '\\"', '[&&]', '[a&&b]', '[\\d-x]', '\\_', '(a|ab)(c|bcd)?', '()', '(?:)', 'x*?y?'],
  ])('%s', (source) => {
    for (const flags of ['g', 'gi', 'gm']) agree(new RegExp(source, flags), TEXT);
  });

  test('for random patterns of common pieces and random texts', () => {
    const piece = fc.constantFrom('a', 'b', '.', '\\w', '\\s', '\\d', '[ab]', '[^a]', 'x', '\\.', '-', 'é');
    const many = fc.constantFrom('', '', '*', '+', '?', '{2}', '+?');
    const pattern = fc
      .array(fc.tuple(piece, many, fc.constantFrom('', '|')), { minLength: 1, maxLength: 5 })
      .map((pieces) => pieces.map(([text, times, or]) => text + times + or).join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x', '.', '-', ' ', '\n', '7', 'é', '\u00a0') });
    fc.assert(fc.property(pattern, text, (source, given) => void agree(new RegExp(source, 'g'), given)));
  });
});

test('[MAN-186] a pattern that no linear engine supports is reported, not run', () => {
  for (const source of ['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(a)\\1', '(?:a{900}){900}'])
    expect(patternProblem(new RegExp(source, 'g'))).toEqual(expect.any(String));
  expect(patternProblem(/a/g)).toBeUndefined();
});
