import type { Context, Hono } from 'hono';
import type { Ledger } from '../ledger/ledger.ts';
import { cookieName, tokenFromCookie } from './cookie.ts';
import { type Ground, setUp } from './devices.suite.ts';
import { devicesApp, type Shown } from './devices-app.ts';
import { createFailureLimiter } from './failure-limiter.ts';
import { hashOf } from './secret.ts';

export const OURS = 'https://relay.test';

export interface Call {
  readonly body?: unknown;
  readonly token?: string;
  /** The token in it; sent with our own Origin unless another is named. */
  readonly cookie?: string;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export interface AppGround extends Ground {
  readonly app: Hono;
  readonly call: (route: string, call?: Call) => Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
  readonly body: any;
}

/** The app as a server mounts it, with the server's own rules for who asks (CHT-89, CHT-96). */
export async function setUpApp(change?: (ledger: Ledger) => Ledger): Promise<AppGround> {
  const ground = await setUp(change);
  const { devices, clock } = ground;
  const limiter = createFailureLimiter(clock);
  const addressOf = (c: Context) => c.req.header('x-test-address') ?? '127.0.0.1';
  const isOwnOrigin = (c: Context) => c.req.header('origin') === OURS;
  const identify = async (c: Context): Promise<Shown> => {
    const bearer = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1];
    const cookie = isOwnOrigin(c) ? tokenFromCookie(c.req.header('cookie'), true) : undefined;
    const token = bearer ?? cookie;
    if (token === undefined) return undefined;
    const keys = [addressOf(c), hashOf(token)];
    const identity = await devices.authenticate(token);
    if (identity !== undefined) return identity;
    if (limiter.areTooMany(keys)) return 'limited';
    limiter.add(keys);
    return 'refused';
  };
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const app = devicesApp({ devices, identify, isOwnOrigin, addressOf, secure: true, limiter, onFault });

  const call = async (route: string, { body, token, cookie, origin, headers, address }: Call = {}) => {
    const [method = 'GET', path = '/'] = route.split(' ');
    const from = origin ?? (cookie === undefined ? undefined : OURS);
    const response = await app.request(`${OURS}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(cookie !== undefined && { cookie: `${cookieName(true)}=${cookie}` }),
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
  return { ...ground, faults, app, call };
}
