import { expect, test } from 'vitest';
import { readPairLink } from './pairing.ts';

test('a pair link says which relay, and what lets the extension in', () => {
  expect(readPairLink(' http://127.0.0.1:7717/#pair=abc-DEF_1 ')).toEqual({
    url: 'http://127.0.0.1:7717',
    secret: 'abc-DEF_1',
  });
  expect(readPairLink('https://relay.example/#pair=x')).toMatchObject({ url: 'https://relay.example' });
});

test.each([
  ['', 'no pair link'],
  ['hello', 'no pair link'],
  ['http://127.0.0.1:7717/', 'no pair link'],
  ['http://127.0.0.1:7717/#pair=', 'no pair link'],
  ['http://127.0.0.1:7717/#pair=a&then=b', 'no pair link'],
  ['javascript:alert(1)#pair=x', 'no pair link'],
  ['file:///etc/passwd#pair=x', 'no pair link'],
  // Over a network, whoever listens would have the token.
  ['http://relay.example/#pair=x', 'https only'],
  ['http://127.evil.example/#pair=x', 'https only'],
])('%s is refused, in words', (link, words) => {
  expect(() => readPairLink(link)).toThrow(words);
});
