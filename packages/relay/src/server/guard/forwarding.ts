import type { IncomingMessage } from 'node:http';
import { bearerOf } from '@drawbridge/link/node';
import { isLoopback } from './credentials.ts';

/**
 * Behind a proxy that does not say who calls, everybody would be this machine: one address to count failures by, and
 * to show figures to. This machine's own programs pass the proxy by, under its own name and with their token.
 */
export function isUnforwarded(request: IncomingMessage): boolean {
  const { headers, socket, url = '' } = request;
  if (String(headers['x-forwarded-for'] ?? '').trim() !== '' || url === '/healthz') return false;
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  const isOwnProgram =
    bearerOf(request) !== undefined && isLoopback(name) && isLoopback(socket.remoteAddress ?? '');
  return !isOwnProgram;
}

export const UNFORWARDED =
  'The proxy in front did not say who calls. Let it set X-Forwarded-For to the address that it sees.';
