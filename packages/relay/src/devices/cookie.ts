import { parse, serialize } from 'hono/utils/cookie';

/** Chrome keeps none for longer: https://developer.chrome.com/blog/cookie-max-age-expires */
const MAX_AGE_S = 400 * 24 * 60 * 60;

/** With `__Host-` no other host can have set it; a browser takes such a name only over TLS. */
export const cookieName = (secure: boolean): string => (secure ? '__Host-drawbridge' : 'drawbridge');

/** From the whole `Cookie` header. It counts only from our own Origin (CHT-89), which the server judges. */
export function nameFromCookie(header: string | undefined, secure: boolean): string | undefined {
  const name = cookieName(secure);
  return header === undefined ? undefined : parse(header, name)[name] || undefined;
}

export const nameCookie = (name: string, secure: boolean): string => cookie(name, MAX_AGE_S, secure);

export const endedCookie = (secure: boolean): string => cookie('', 0, secure);

const cookie = (value: string, maxAge: number, secure: boolean): string =>
  serialize(cookieName(secure), value, { path: '/', httpOnly: true, sameSite: 'Strict', maxAge, secure });
