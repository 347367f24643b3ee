import { LIMITS } from '@drawbridge/protocol';
import { LoadRefusal } from '../../compose/problem.ts';

const HTTPS_PORT = 443;

export const DEFAULT_PORTS: readonly number[] = [HTTPS_PORT];

/** Parses a map's https uri. Throws a LoadRefusal for an unsafe url or a port that is not allowed. */
export function parseImportUrl(text: string, ports: readonly number[] = DEFAULT_PORTS): URL {
  if (text.length > LIMITS.url.value) throw unsafe(`is longer than ${LIMITS.url.value} characters`);
  if (!text.startsWith('https://')) throw new LoadRefusal('https_only', 'Only https:// urls are read.');
  // A url parser normalizes these, so a reviewer would read another url than the one requested.
  if (/[^!-~]|\\/.test(text)) throw unsafe('has a space, a backslash or a character beyond ASCII');
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:') throw unsafe('cannot be parsed');
  const authority = authorityOf(text);
  if (authority.includes('@')) throw unsafe('has credentials in it');
  // 2130706433 and %6c%6f%63%61%6c hide a host; so does an invalid port.
  if (authority !== url.host && authority !== `${url.host}:${HTTPS_PORT}`) {
    throw unsafe(`must name its host as it is: ${url.host}`);
  }
  if (!ports.includes(portOf(url)))
    throw new LoadRefusal('port_refused', 'The port of the url is not allowed.');
  return url;
}

function portOf(url: URL): number {
  return url.port === '' ? HTTPS_PORT : Number(url.port);
}

/** Host, port and credentials as written: the parser drops an empty `@`. */
function authorityOf(text: string): string {
  return /^https:\/\/([^/?#]*)/.exec(text)?.[1]?.toLowerCase() ?? '';
}

const unsafe = (why: string): LoadRefusal => new LoadRefusal('unsafe_url', `The url ${why}.`);
