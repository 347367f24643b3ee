import { expect, test } from 'vitest';
import { cookieName, endedCookie, tokenCookie, tokenFromCookie } from './cookie.ts';

test('no script reads it, no other site sends it; by TLS no other host can have set it', () => {
  expect(tokenCookie('dbr_x', true)).toBe(
    '__Host-drawbridge=dbr_x; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
  expect(tokenCookie('dbr_x', false)).toBe(
    'drawbridge=dbr_x; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict',
  );
  expect(endedCookie(true)).toContain('__Host-drawbridge=; Max-Age=0;');
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['other=1', undefined],
  ['drawbridge=', undefined],
  ['a=1; drawbridge=dbr_x; b=2', 'dbr_x'],
  ['__Host-drawbridge=dbr_y; xdrawbridge=1', undefined],
])('the token in %j is %j', (header, token) => {
  expect(tokenFromCookie(header, false)).toBe(token);
});

test('by TLS a cookie without the prefix, which a neighbour could have set, counts for nothing', () => {
  expect(tokenFromCookie('drawbridge=dbr_x', true)).toBeUndefined();
  expect(tokenFromCookie(`drawbridge=dbr_x; ${cookieName(true)}=dbr_y`, true)).toBe('dbr_y');
});
