import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { areSame, hashOf, isToken, newId, newToken } from './secret.ts';

test('a token has 256 bits of the given randomness, and its prefix', () => {
  const bytes = randomBytes(32);
  const token = newToken((count) => bytes.subarray(0, count));
  expect(token).toBe(`dbr_${bytes.toString('base64url')}`);
  expect(isToken(token)).toBe(true);
  expect(newId('dev', randomBytes)).toMatch(/^dev_[0-9a-f]{24}$/);
});

test.each(['', 'dbr_', 'dbr_short', ' ', '\n'])('rejects a malformed token: %j', (text) => {
  const token = newToken(randomBytes);
  expect(isToken(text)).toBe(false);
  expect(isToken(`${token}${text === '' ? 'x' : text}`)).toBe(false);
});

test('hashes are equal only when all of their bytes are', () => {
  expect(areSame(hashOf('a'), hashOf('a'))).toBe(true);
  expect(areSame(hashOf('a'), hashOf('b'))).toBe(false);
  expect(areSame(hashOf('a'), hashOf('a').slice(1))).toBe(false);
});
