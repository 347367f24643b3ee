import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { echoPattern, maskEchoes } from './echo-mask.ts';

const masked = (text: string, ...values: string[]): string => maskEchoes(text, echoPattern(values));

describe('a short number is masked as a whole token', () => {
  test.each([
    ['CVC 123 accepted', 'CVC ••• accepted'],
    ['?cvc=123&x=1', '?cvc=•••&x=1'],
    ['a%20123', 'a%20•••'],
    ['4242,123', '4242,•••'],
    ['#p-123', '#p-•••'],
  ])('%s → %s', (text, shown) => expect(masked(text, '123')).toBe(shown));

  test.each(['1234', 'a123', '123rd', '1,123', '123.45', '10.0.123', '12'])('%s stays', (text) =>
    expect(masked(text, '123')).toBe(text),
  );
});

test.each([
  ['4242424242424242', 'Card 4242 4242 4242 4242 was charged', 'Card ••• was charged'],
  ['4242 4242 4242 4242', 'x4242424242424242x', 'x•••x'],
  ['482913', 'Code 482 913', 'Code •••'],
  ['12/27', 'until 12%2F27', 'until •••'],
  ['kestrel', 'Kestrels', '•••s'],
  ['12', 'page 12', 'page 12'],
])('%s in %s', (value, text, shown) => expect(masked(text, value)).toBe(shown));

test('masks overlapping values as one', () => {
  expect(masked('pw: kestrel7', 'kestrel7', 'pw: k')).toBe('•••');
});

test('leaves nothing of a value, whatever stands around it', () => {
  const value = fc.string({ minLength: 4, maxLength: 20, unit: fc.constantFrom(...'abcxyz!&%/ ') });
  fc.assert(
    fc.property(value, fc.string(), fc.string(), (secret, before, after) => {
      const tidy = secret.trim();
      fc.pre(tidy.length >= 4);
      return !masked(`${before}${tidy}${after}`, tidy).includes(tidy);
    }),
  );
});
