import type { Ledger } from '@drawbridge/ledger';
import type { Context, Hono } from 'hono';
import type { Role } from '../../src/core/ports.ts';
import { type AuthMiddleware, createAuthMiddleware, type Shown } from '../../src/devices/auth-middleware.ts';
import { formerToken } from '../../src/devices/cookie.ts';
import { devicesApp } from '../../src/devices/devices-app.ts';
import { createFailureLimiter } from '../../src/devices/failure-limiter.ts';
import { createProofs, PROOF_HEADER, parseProof } from '../../src/devices/proof.ts';
import { hashOf } from '../../src/devices/secret.ts';
import type { RelayEnv } from '../../src/server/relay-env.ts';
import { type DevicesHarness, setUp } from './devices-harness.ts';
import { type PairedBrowser, pairBrowser } from './paired-browser.ts';

export const OURS = 'https://relay.test';

export interface Call {
  readonly body?: unknown;
  readonly token?: string;
  /** Signs the request, and sends the relay's own Origin unless another is given. */
  readonly browser?: PairedBrowser;
  /** Cookie of an earlier version. */
  readonly cookie?: string;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export interface AppHarness extends DevicesHarness {
  readonly app: Hono<RelayEnv>;
  readonly auth: AuthMiddleware;
  readonly addBrowser: (...roles: Role[]) => Promise<PairedBrowser>;
  readonly call: (route: string, call?: Call) => Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
  readonly body: any;
}

/** Mounts the app as a server does, with the server's rules for identifying callers (CHT-89, CHT-96). */
export async function setUpApp(change?: (ledger: Ledger) => Ledger): Promise<AppHarness> {
  const harness = await setUp(change);
  const { devices, clock } = harness;
  const limiter = createFailureLimiter(clock);
  const addressOf = (c: Context) => c.req.header('x-test-address') ?? '127.0.0.1';
  const isOwnOrigin = (c: Context) => c.req.header('origin') === OURS;
  const proofs = createProofs(clock);
  const byProof = async (c: Context, text: string): Promise<Shown> => {
    const proof = parseProof(text);
    if (proof === undefined) return undefined;
    const known = await devices.browser(proof.name);
    if (known === undefined) return 'unpaired';
    const asked = { method: c.req.method, path: c.req.url.slice(OURS.length) };
    const verdict = proofs.check(proof, asked, known.identity.device_id, known.key);
    return verdict === 'good' ? known.identity : verdict === 'stale' ? 'stale' : undefined;
  };
  const identify = async (c: Context): Promise<Shown> => {
    const bearer = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1];
    const proof = isOwnOrigin(c) ? c.req.header(PROOF_HEADER) : undefined;
    const shown = bearer ?? proof;
    if (shown === undefined) {
      return isOwnOrigin(c) && formerToken(c.req.header('cookie')) ? 'unpaired' : undefined;
    }
    const keys = [addressOf(c), hashOf(shown)];
    const identity = await (bearer === undefined ? byProof(c, shown) : devices.authenticate(shown));
    if (identity !== undefined) return identity;
    if (limiter.areTooMany(keys)) return 'limited';
    limiter.add(keys);
    return 'refused';
  };
  const faults: unknown[] = [];
  const onError = (error: unknown) => faults.push(error);
  const ways = { devices, addressOf, trustedProxy: true, limiter };
  const isByBearer = (c: Context) => /^Bearer \S+$/.test(c.req.header('authorization') ?? '');
  const auth = createAuthMiddleware({ ...ways, identify, isByBearer, isOwnOrigin, now: clock.now });
  const app = devicesApp({ ...ways, auth, onError });

  const call = async (
    route: string,
    { body, token, browser, cookie, origin, headers, address }: Call = {},
  ) => {
    const [method = 'GET', path = '/'] = route.split(' ');
    const from = origin ?? ((browser ?? cookie) === undefined ? undefined : OURS);
    const response = await app.request(`${OURS}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(browser !== undefined && { [PROOF_HEADER]: browser.proof(method, path) }),
        ...(cookie !== undefined && { cookie: `__Host-drawbridge=${cookie}` }),
        ...(from !== undefined && { origin: from }),
        ...(address !== undefined && { 'x-test-address': address }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : text,
    };
  };
  const addBrowser = (...roles: Role[]) => pairBrowser(devices, roles, clock.now);
  return { ...harness, faults, app, auth, call, addBrowser };
}
