import { parse, serialize } from 'hono/utils/cookie';
import { isToken } from './secret.ts';

/** The first was set over TLS. */
const NAMES = ['__Host-drawbridge', 'drawbridge'];

/**
 * Token in the cookie of an earlier version. No longer grants access: every server of the same host has
 * received it.
 */
export const formerToken = (header: string | undefined): string | undefined => formerCookie(header)?.value;

/** A header that removes the cookie of an earlier version; undefined if there is none. */
export function endedCookie(header: string | undefined): string | undefined {
  const found = formerCookie(header);
  const secure = found?.name === NAMES[0];
  return (
    found && serialize(found.name, '', { path: '/', httpOnly: true, sameSite: 'Strict', maxAge: 0, secure })
  );
}

function formerCookie(header = '') {
  const cookies = parse(header);
  return NAMES.map((name) => ({ name, value: cookies[name] ?? '' })).find(({ value }) => isToken(value));
}
