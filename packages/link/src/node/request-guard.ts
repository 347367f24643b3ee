import type { IncomingMessage } from 'node:http';
import { BEARER_PREFIX } from '../socket-like.ts';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface GuardOptions {
  readonly port: number;
  /** Further local names of this server, with port. */
  readonly hosts?: ReadonlySet<string>;
  /** Origins of pages that may connect; none by default. Programs send none. */
  readonly origins?: ReadonlySet<string>;
}

/** A DNS-rebinding page is detected by its Host; any other page by its Origin. */
export function isFromHere({ headers }: IncomingMessage, { origins, ...here }: GuardOptions): boolean {
  const { host = '', origin } = headers;
  return isOurHost(host, here) && (origin === undefined || origins?.has(origin) === true);
}

export function isOurHost(host: string, { port, hosts }: Omit<GuardOptions, 'origins'>): boolean {
  return LOOPBACK_NAMES.some((name) => host === `${name}:${port}`) || hosts?.has(host) === true;
}

/** From `Authorization`, or from the subprotocol list where headers cannot be set. */
export function bearerOf({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const token = offered.find((name) => name.startsWith(BEARER_PREFIX))?.slice(BEARER_PREFIX.length);
  return token === '' ? undefined : token;
}
