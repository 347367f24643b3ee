import { expect, test } from 'vitest';
import { maskShapes, maskShapesIn } from './shape-mask.ts';

test.each([
  ['export OPENAI_API_KEY=sk-proj-abcdefghijklmnop', 'export OPENAI_API_KEY=•••'],
  ['curl -H "Authorization: Bearer abc.def.ghi"', 'curl -H "Authorization: •••"'],
  ['git clone https://me:hunter22@git.example/x', 'git clone https://me:•••@git.example/x'],
  ['use ghp_0123456789abcdefABCDEF0123456789abcd now', 'use ••• now'],
  ['password hunter22', 'password •••'],
  ['Pay with 4111 1111 1111 1111?', 'Pay with •••?'],
  ['The token expired. Sign in again.', 'The token expired. Sign in again.'],
  ['Run `npm publish` in packages/relay?', 'Run `npm publish` in packages/relay?'],
  ['Your verification code is 482913', 'Your verification code is •••'],
  ['Ihr Einmalcode: 482 913', 'Ihr Einmalcode: •••'],
  ['Your temporary password is Xk9-abc7', 'Your temporary password is •••'],
  ['To DE89 3704 0044 0532 0130 00', 'To •••'],
  ['Order 482913 has 3 items', 'Order 482913 has 3 items'],
])('masks what looks like a secret: %s', (text, shown) => {
  expect(maskShapes(text)).toBe(shown);
});

test('masks every text of a record and keeps its ids', () => {
  const id = 'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6';
  expect(
    maskShapesIn({ message_id: id, hash: id, content: `key ${id}`, steps: [{ text: 'PIN: 4821' }] }),
  ).toEqual({
    message_id: id,
    hash: id,
    content: 'key •••',
    steps: [{ text: 'PIN: •••' }],
  });
});
