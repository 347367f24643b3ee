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

/**
 * From `Authorization`, or from the subprotocol list where headers cannot be set. Programs that know an address
 * alone show it as the password in that address (`ws://name:TOKEN@host/…`).
 */
export function bearerOf({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1] ?? passwordOf(headers);
  if (bearer !== undefined) return bearer;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const token = offered.find((name) => name.startsWith(BEARER_PREFIX))?.slice(BEARER_PREFIX.length);
  return token === '' ? undefined : token;
}

/** Only of a program's WebSocket: a browser repeats a password unasked, and sends an Origin with each WebSocket. */
function passwordOf({ authorization = '', upgrade, origin }: IncomingMessage['headers']): string | undefined {
  if (upgrade?.toLowerCase() !== 'websocket' || origin !== undefined) return undefined;
  const encoded = /^Basic ([\w+/]+=*)$/i.exec(authorization)?.[1] ?? '';
  return /^[^:]*:(\S+)$/.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}
