import { expect, test } from 'vitest';
import { cookieName, endedCookie, nameCookie, nameFromCookie } from './cookie.ts';

test('no script reads it, no other site sends it; by TLS no other host can have set it', () => {
  expect(nameCookie('dbn_x', true)).toBe(
    '__Host-drawbridge=dbn_x; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
  expect(nameCookie('dbn_x', false)).toBe(
    'drawbridge=dbn_x; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict',
  );
  expect(endedCookie(true)).toContain('__Host-drawbridge=; Max-Age=0;');
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['other=1', undefined],
  ['drawbridge=', undefined],
  ['a=1; drawbridge=dbn_x; b=2', 'dbn_x'],
  ['__Host-drawbridge=dbn_y; xdrawbridge=1', undefined],
])('the name in %j is %j', (header, name) => {
  expect(nameFromCookie(header, false)).toBe(name);
});

test('by TLS a cookie without the prefix, which a neighbour could have set, counts for nothing', () => {
  expect(nameFromCookie('drawbridge=dbn_x', true)).toBeUndefined();
  expect(nameFromCookie(`drawbridge=dbn_x; ${cookieName(true)}=dbn_y`, true)).toBe('dbn_y');
});
