import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compoundsOf, splitPath } from './selector-text.ts';

describe('a path', () => {
  test.each([
    ['a', ['a']],
    ['x-card >>> button', ['x-card', 'button']],
    ['a>>>b >>>c', ['a', 'b', 'c']],
    ['[title=">>>"] > b', ['[title=">>>"] > b']],
    ["[title='a\\' >>> b'] >>> c", ["[title='a\\' >>> b']", 'c']],
  ])('%s → %j', (selector, parts) => expect(splitPath(selector)).toEqual(parts));
});

describe('tests of a selector', () => {
  /** Each compound as its tag and tests; the subject has a star. */
  const inShort = (selector: string) =>
    compoundsOf(selector).map(({ tag, attributes, isSubject }) => {
      const tests = attributes.map(({ name, operator = '', value = '' }) => `[${name}${operator}${value}]`);
      return `${tag}${tests.join('')}${isSubject ? '*' : ''}`;
    });

  test.each([
    ['ul > li.a[b]', ['ul', 'li[b]*']],
    ['INPUT[type=text]#x', ['input[type=text]*']],
    ['a, b c', ['a*', 'b', 'c*']],
    ['form:has(input[value="x"])', ['form*', 'input[value=x]']],
    ['a:not([b]) + c', ['a', '[b]', 'c*']],
    ['[\\76 alue^="a"]', ['[value^=a]*']],
    ['[*|Value$=a i]', ['[value$=a]*']],
    ['[a="]"][b~=\'c d\']', ['[a=]][b~=c d]*']],
    ['p/* [value^=a] */.b', ['p*']],
    ['input/*"*/[value^=a]/*"*/', ['input[value^=a]*']],
    ['[value/**/^=a]', ['[value^=a]*']],
    ['[accept="image/*"] b', ['[accept=image/*]', 'b*']],
    ['[^=a]', ['[?]*']],
  ])('%s → %j', (selector, compounds) => expect(inShort(selector)).toEqual(compounds));

  test('parses any text', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '"',
      "'",
      '\\',
      ' >>> ',
      ',',
      ' ',
      'a',
      '[value^=a]',
      '/*',
      ':has(',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (selector) => Array.isArray(compoundsOf(selector)) && splitPath(selector).length > 0),
    );
  });
});
