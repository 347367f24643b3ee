import { parse, serialize } from 'hono/utils/cookie';
import { isToken } from './secret.ts';

const cookieName = (secure: boolean): string => (secure ? '__Host-drawbridge' : 'drawbridge');

/**
 * Token in the cookie of an earlier version. No longer grants access: every server of the same host has
 * received it.
 */
export function formerToken(header: string | undefined, secure: boolean): string | undefined {
  const name = cookieName(secure);
  const value = header === undefined ? '' : (parse(header, name)[name] ?? '');
  return isToken(value) ? value : undefined;
}

export const endedCookie = (secure: boolean): string =>
  serialize(cookieName(secure), '', { path: '/', httpOnly: true, sameSite: 'Strict', maxAge: 0, secure });
