import { expect, test } from 'vitest';
import { readPairLink } from './pairing.ts';

test("a pairing link has the relay's address and the secret", () => {
  expect(readPairLink(' http://127.0.0.1:7717/#pair=abc-DEF_1 ')).toEqual({
    url: 'http://127.0.0.1:7717',
    secret: 'abc-DEF_1',
  });
  expect(readPairLink('https://relay.example/#pair=x')).toMatchObject({ url: 'https://relay.example' });
});

test.each([
  ['', 'not a pairing link'],
  ['hello', 'not a pairing link'],
  ['http://127.0.0.1:7717/', 'not a pairing link'],
  ['http://127.0.0.1:7717/#pair=', 'not a pairing link'],
  ['http://127.0.0.1:7717/#pair=a&then=b', 'not a pairing link'],
  ['javascript:alert(1)#pair=x', 'not a pairing link'],
  ['file:///etc/passwd#pair=x', 'not a pairing link'],
  // On a network, an eavesdropper would get the token.
  ['http://relay.example/#pair=x', 'needs an https link'],
  ['http://127.evil.example/#pair=x', 'needs an https link'],
])('%s is refused, in words', (link, words) => {
  expect(() => readPairLink(link)).toThrow(words);
});
