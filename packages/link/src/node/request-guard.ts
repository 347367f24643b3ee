import type { IncomingMessage } from 'node:http';
import { BEARER_PREFIX } from '../websocket-client.ts';

export interface GuardOptions {
  readonly port: number;
  /** Further names, with port, under which this server is reached on this machine. */
  readonly hosts?: ReadonlySet<string>;
  /** The Origins of pages that may connect; none by default. Programs send none. */
  readonly origins?: ReadonlySet<string>;
}

/** A page that had its own name resolve to this machine shows itself by its Host; any other page by its Origin. */
export function isFromHere({ headers }: IncomingMessage, { port, hosts, origins }: GuardOptions): boolean {
  const { host = '', origin } = headers;
  const isOurs = ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`);
  if (!isOurs && hosts?.has(host) !== true) return false;
  return origin === undefined || origins?.has(origin) === true;
}

/** From `Authorization`, or, where headers can't be set, from the subprotocol list. */
export function bearerOf({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const token = offered.find((name) => name.startsWith(BEARER_PREFIX))?.slice(BEARER_PREFIX.length);
  return token === '' ? undefined : token;
}
