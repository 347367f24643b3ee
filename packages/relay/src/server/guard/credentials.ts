import type { IncomingMessage } from 'node:http';
import { bearerOf } from '@drawbridge/link/node';
import type { Identity } from '../../core/ports.ts';
import { tokenFromCookie } from '../../devices/cookie.ts';
import type { Shown } from '../../devices/door.ts';
import { addressKey, type FailureLimiter } from '../../devices/failure-limiter.ts';
import { hashOf } from '../../devices/secret.ts';
import { isForTasks, taskTokenOf } from '../../task-clients/task-token.ts';
import type { RequestOrigin } from './request-origin.ts';

export interface Credentials {
  readonly identify: (request: IncomingMessage, origin: RequestOrigin) => Promise<Shown>;
  /** At the task port, where the token stands in the URL: such a token is good there, and nowhere else (TSK-27). */
  readonly identifyForTasks: (request: IncomingMessage, origin: RequestOrigin) => Promise<Shown>;
  /** The device whose credential a request has shown. */
  readonly deviceOf: (request: IncomingMessage) => string | undefined;
}

export interface CredentialOptions {
  readonly authenticate: (token: string) => Promise<Identity | undefined>;
  readonly failures: FailureLimiter;
  readonly trustedProxy: boolean;
  /** Whether browsers reach us by TLS, which decides the cookie's name. */
  readonly secure: boolean;
  readonly onFailure: (address: string) => void;
}

export function createCredentials(options: CredentialOptions): Credentials {
  const { authenticate, failures, trustedProxy, secure, onFailure } = options;
  const devices = new WeakMap<IncomingMessage, string>();
  const check = async (
    token: string | undefined,
    request: IncomingMessage,
    origin: RequestOrigin,
    forTasks: boolean,
  ): Promise<Shown> => {
    if (token === undefined) return undefined;
    const address = addressOf(request, trustedProxy);
    const keys = [placeKey(address, origin), `credential ${hashOf(token)}`];
    // Looked up first: failures of others at one address would switch off `halt` for its owner (CHT-96).
    const identity = await authenticate(token);
    if (identity !== undefined && isForTasks(identity) === forTasks) {
      devices.set(request, identity.device_id);
      return identity;
    }
    if (failures.areTooMany(keys)) return 'limited';
    failures.add(keys);
    onFailure(address);
    return 'refused';
  };
  return {
    deviceOf: (request) => devices.get(request),
    identify(request, origin) {
      const token = bearerOf(request) ?? (origin === 'ours' ? cookieOf(request, secure) : undefined);
      return check(token, request, origin, false);
    },
    identifyForTasks: (request, origin) => check(taskTokenOf(request), request, origin, true),
  };
}

/** A cookie counts only from our own pages (CHT-89). */
const cookieOf = ({ headers }: IncomingMessage, secure: boolean): string | undefined =>
  tokenFromCookie(headers.cookie, secure);

const addresses = new WeakMap<IncomingMessage, string>();

/** Another node has passed it on, and saw it come from there. */
export const cameFrom = (request: IncomingMessage, address: string): void =>
  void addresses.set(request, address);

/** A proxy in front adds to the end of the list what it saw itself. */
export function addressOf(request: IncomingMessage, trustedProxy: boolean): string {
  const known = addresses.get(request);
  if (known !== undefined) return known;
  const { headers, socket } = request;
  const forwarded = trustedProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  return (forwarded.split(',').at(-1)?.trim() || socket.remoteAddress) ?? 'unknown';
}

export const isLoopback = (address: string): boolean =>
  address === '::1' || address === 'localhost' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

/** A page elsewhere must not be able to lock out the programs of the machine that it is looked at on. */
const placeKey = (address: string, origin: RequestOrigin): string =>
  `${origin === 'foreign' ? 'page at ' : ''}${addressKey(address)}`;
