import type { IncomingMessage } from 'node:http';
import { PROOF_PREFIX } from '@drawbridge/link';
import { bearerOf } from '@drawbridge/link/node';
import type { Identity } from '../../core/ports.ts';
import type { Shown } from '../../devices/auth-middleware.ts';
import { formerToken } from '../../devices/cookie.ts';
import { addressKey, type FailureLimiter } from '../../devices/failure-limiter.ts';
import { PROOF_HEADER, type Proofs, parseProof } from '../../devices/proof.ts';
import type { KnownBrowser } from '../../devices/register.ts';
import { hashOf } from '../../devices/secret.ts';
import { isForTasks, taskTokenOf } from '../../task-clients/task-token.ts';
import type { RequestOrigin } from './request-origin.ts';

export type Credentials = ReturnType<typeof createCredentials>;

export interface CredentialOptions {
  readonly authenticate: (token: string) => Promise<Identity | undefined>;
  /** Looks a browser up by name. */
  readonly browser: (name: string) => Promise<KnownBrowser | undefined>;
  readonly proofs: Proofs;
  readonly now: () => number;
  readonly failures: FailureLimiter;
  readonly trustedProxy: boolean;
  readonly onFailure: (address: string) => void;
  /** Resolves when the refusal of this address may be answered. */
  readonly held: (key: string) => Promise<void>;
  /** Called when the request has shown a valid credential. */
  readonly onKnown: (request: IncomingMessage) => void;
}

export function createCredentials(options: CredentialOptions) {
  const { authenticate, browser, proofs, now, failures, trustedProxy } = options;
  const { onFailure, onKnown, held } = options;
  const devices = new WeakMap<IncomingMessage, string>();
  /** A proof is valid once: asking again about the same request returns the first answer. */
  const identified = new WeakMap<IncomingMessage, Promise<Shown>>();

  /** Counts the failures of a credential. A valid one is never limited. */
  const limited = async (
    credential: string,
    request: IncomingMessage,
    origin: RequestOrigin,
    check: () => Promise<Shown>,
  ): Promise<Shown> => {
    const address = addressOf(request, trustedProxy);
    const keys = [sourceKey(address, origin), `credential ${hashOf(credential)}`] as const;
    // Checked first: otherwise failures of others at the address would block the owner's `halt` (CHT-96).
    const shown = await check();
    if (typeof shown === 'object') {
      devices.set(request, shown.device_id);
      onKnown(request);
    }
    if (shown !== 'refused') return shown;
    if (failures.areTooMany(keys)) {
      await held(keys[0]);
      return 'limited';
    }
    failures.add(keys);
    onFailure(address);
    return shown;
  };

  const byToken = (token: string, request: IncomingMessage, origin: RequestOrigin, forTasks: boolean) =>
    limited(token, request, origin, async () => {
      const identity = await authenticate(token);
      return identity !== undefined && isForTasks(identity) === forTasks ? identity : 'refused';
    });

  /** A proof names its browser and is signed by that browser's key. Cookies are ignored. */
  const byProof = (text: string, request: IncomingMessage, origin: RequestOrigin) =>
    limited(text, request, origin, async () => {
      const proof = parseProof(text);
      if (proof === undefined) return 'refused';
      const known = await browser(proof.name);
      if (known === undefined) return 'unpaired';
      const { method = '', url = '' } = request;
      const { device_id } = known.identity;
      const verdict = proofs.check(proof, { method, path: url }, device_id, known.key);
      if (verdict === 'full') return 'limited';
      return verdict === 'good' ? known.identity : verdict === 'stale' ? 'stale' : 'refused';
    });

  const identify = async (request: IncomingMessage, origin: RequestOrigin): Promise<Shown> => {
    const token = bearerOf(request);
    if (token !== undefined) return byToken(token, request, origin, false);
    // A browser's proof counts only from our own pages (CHT-89).
    if (origin !== 'ours') return undefined;
    const proof = proofOf(request);
    if (proof !== undefined) return byProof(proof, request, origin);
    return formerToken(request.headers.cookie) === undefined ? undefined : 'unpaired';
  };

  return {
    /** The clock that proofs are measured against. */
    now,
    /** The device whose credential a request has shown. */
    deviceOf: (request: IncomingMessage): string | undefined => devices.get(request),
    identify(request: IncomingMessage, origin: RequestOrigin): Promise<Shown> {
      const known = identified.get(request) ?? identify(request, origin);
      identified.set(request, known);
      return known;
    },
    /** At the task port, where the token is in the URL: such a token is valid only there (TSK-27). */
    async identifyForTasks(request: IncomingMessage, origin: RequestOrigin): Promise<Shown> {
      const token = taskTokenOf(request);
      return token === undefined ? undefined : byToken(token, request, origin, true);
    },
  };
}

function proofOf({ headers }: IncomingMessage): string | undefined {
  const header = headers[PROOF_HEADER];
  if (typeof header === 'string') return header;
  // A browser cannot set headers on a WebSocket: https://websockets.spec.whatwg.org/#dom-websocket-websocket
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(PROOF_PREFIX))?.slice(PROOF_PREFIX.length);
}

const addresses = new WeakMap<IncomingMessage, string>();

/** Another node has proxied the request and saw this address. */
export const cameFrom = (request: IncomingMessage, address: string): void =>
  void addresses.set(request, address);

/** A proxy in front appends the address it saw to the list. */
export function addressOf(request: IncomingMessage, trustedProxy: boolean): string {
  const known = addresses.get(request);
  if (known !== undefined) return known;
  const { headers, socket } = request;
  const forwarded = trustedProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  return (forwarded.split(',').at(-1)?.trim() || socket.remoteAddress) ?? 'unknown';
}

export const isLoopback = (address: string): boolean =>
  address === '::1' || address === 'localhost' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

/** A page of another origin must not lock out programs of the machine that shows it. */
const sourceKey = (address: string, origin: RequestOrigin): string =>
  `${origin === 'foreign' ? 'page at ' : ''}${addressKey(address)}`;
