import type { IncomingMessage } from 'node:http';
import { isOurHost } from '@drawbridge/link/node';

export interface GuardOptions {
  readonly port: number;
  /** Whether browsers reach us by TLS, ours or that of a proxy in front. */
  readonly secure: boolean;
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/**
 * `ours`: a page that this relay served. `allowed`: a page that was set up. `none`: no page, or a page's plain
 * navigation. `foreign`: any other page; what it asks counts only with a bearer token (CHT-89).
 */
export type RequestOrigin = (typeof ORIGINS)[number];
const ORIGINS = ['ours', 'allowed', 'none', 'foreign'] as const;

export const isRequestOrigin = (value: unknown): value is RequestOrigin =>
  ORIGINS.some((origin) => origin === value);

/** CHT-90: undefined for a request that came under another name, whatever it shows. */
export function originOf(request: IncomingMessage, options: GuardOptions): RequestOrigin | undefined {
  const { host = '', origin } = request.headers;
  if (!hasOneHost(request) || !isPath(request.url) || !isOurHost(host, options)) return undefined;
  if (origin === undefined) return isSameOrigin(request) ? 'ours' : 'none';
  if (ownOrigin(host, options) === origin) return 'ours';
  return options.origins.has(origin) ? 'allowed' : 'foreign';
}

/**
 * A page elsewhere can make any browser ask by GET, without an Origin and without an answer: so many tries would lock
 * out those who share its address (CHT-96). A typed address or a program is no page.
 */
export const isFromOtherPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin === undefined && ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

const ownOrigin = (host: string, { secure }: GuardOptions): string =>
  `${secure ? 'https' : 'http'}://${host}`;

/** Node keeps the first of several and says nothing: what stands in front may have gone by the last. */
const hasOneHost = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length === 1;

/** A whole URL in its place outranks Host (RFC 9112, 3.2.2). */
const isPath = (url = ''): boolean => url.startsWith('/');

/**
 * A page's own GET carries no Origin; what its browser says instead cannot be set by a page (Fetch Metadata). A
 * page's WebSocket always has one.
 */
const isSameOrigin = ({ headers, method }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'same-origin' &&
  headers.upgrade === undefined &&
  (method === 'GET' || method === 'HEAD');
