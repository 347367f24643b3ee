import type { IncomingMessage } from 'node:http';
import { bearerOf } from '@drawbridge/link/node';
import { isLoopback } from './credentials.ts';

/** Asked by the service manager of this machine. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

/**
 * Behind a proxy that does not name the client, everybody would be this machine: one address for counting
 * failures and for reading metrics. Programs of this machine bypass the proxy, under the machine's own name
 * and with their token.
 */
export function isUnforwarded(request: IncomingMessage): boolean {
  const { headers, socket, url = '' } = request;
  if (String(headers['x-forwarded-for'] ?? '').trim() !== '' || PROBES.has(url)) return false;
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  const isOwnProgram =
    bearerOf(request) !== undefined && isLoopback(name) && isLoopback(socket.remoteAddress ?? '');
  return !isOwnProgram;
}

export const UNFORWARDED =
  'The proxy in front did not say who calls. Let it set X-Forwarded-For to the address that it sees.';
