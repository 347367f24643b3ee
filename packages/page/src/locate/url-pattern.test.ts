import { expect, test } from 'vitest';
import { fitsPattern } from './url-pattern.ts';

const LONG = `https://shop.example/${'a'.repeat(900)}`;

test.each([
  ['/cart$', 'https://shop.example/cart', true],
  ['^https://shop\\.example/(?:cart|basket)/?$', 'https://shop.example/basket', true],
  ['/orders/[0-9]+/items/\\d+$', 'https://shop.example/orders/12/items/7', true],
  ['/cart$', 'https://shop.example/carts', false],
])('%s in %s: %s', (pattern, url, fits) => {
  expect(fitsPattern(pattern, url)).toBe(fits);
});

test.each([
  ['repeats that follow each other', '.*.*.*!', LONG],
  ['counted repeats', 'a{0,300}a{0,300}a{0,300}a{0,300}!', LONG],
  ['options', `${'a?'.repeat(60)}${'a'.repeat(60)}!`, LONG],
  ['alternatives', `${'(a|a)'.repeat(40)}!`, LONG],
  ['a repeated group', '^(a+)+$', LONG],
  ['an optional group', '(a+)?(a+)?!', LONG],
  ['a back-reference', '(.*)\\1!', LONG],
])('a pattern of %s is not tried', (_, pattern, url) => {
  expect(fitsPattern(pattern, url)).toBe(false);
});
