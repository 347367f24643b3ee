import type { IncomingMessage } from 'node:http';
import { isOurHost } from '@drawbridge/link/node';

export interface GuardOptions {
  readonly port: number;
  /** Browsers reach us over the TLS of a proxy in front. */
  readonly trustedProxy: boolean;
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/**
 * `ours`: a page that this relay served. `allowed`: a configured page. `none`: no page, or a plain
 * navigation. `foreign`: any other page, whose requests count only with a bearer token (CHT-89).
 */
export type RequestOrigin = (typeof ORIGINS)[number];
const ORIGINS = ['ours', 'allowed', 'none', 'foreign'] as const;

export const isRequestOrigin = (value: unknown): value is RequestOrigin =>
  ORIGINS.some((origin) => origin === value);

/** CHT-90: undefined for a request with a foreign Host, whatever its credential. */
export function originOf(request: IncomingMessage, options: GuardOptions): RequestOrigin | undefined {
  const { host = '', origin } = request.headers;
  if (!hasOneHost(request) || !isPath(request.url) || !isOurHost(host, options)) return undefined;
  if (origin === undefined) return isSameOrigin(request) ? 'ours' : 'none';
  if (ownOrigin(request, options) === origin) return 'ours';
  return options.origins.has(origin) ? 'allowed' : 'foreign';
}

/**
 * A page of another origin can make any browser send GETs, without an Origin and without reading the answer:
 * that many attempts would lock out everybody at its address (CHT-96). A typed address or a program is no
 * page.
 */
export const isFromOtherPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin === undefined && ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

/** With a certificate, this machine's connections may be plain beside the network's TLS. */
const ownOrigin = ({ headers, socket }: IncomingMessage, { trustedProxy }: GuardOptions): string =>
  `${trustedProxy || 'encrypted' in socket ? 'https' : 'http'}://${headers.host}`;

/** Node silently keeps the first of several, while a proxy in front may have used the last. */
const hasOneHost = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length === 1;

/** An absolute URL outranks Host (RFC 9112, 3.2.2). */
const isPath = (url = ''): boolean => url.startsWith('/');

/**
 * A page's own GET has no Origin, but Fetch Metadata, which no page can set. A page's WebSocket always has an
 * Origin.
 */
const isSameOrigin = ({ headers, method }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'same-origin' &&
  headers.upgrade === undefined &&
  (method === 'GET' || method === 'HEAD');
