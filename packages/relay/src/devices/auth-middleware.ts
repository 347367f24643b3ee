import type { Context } from 'hono';
import type { Identity } from '../core/ports.ts';
import { parseBrowserKey } from './browser-key.ts';
import type { Wanted } from './confirmations.ts';
import { endedCookie, formerToken } from './cookie.ts';
import { identityOf } from './device.ts';
import { DeviceError } from './device-error.ts';
import type { Devices } from './devices.ts';
import { addressKey, type FailureLimiter } from './failure-limiter.ts';
import { siteOf } from './passkeys/site.ts';
import { TIME_HEADER } from './proof.ts';
import type { Minted, NewBrowser } from './register.ts';
import { hashOf } from './secret.ts';

/**
 * Undefined: no credential. `refused`: an invalid one. `limited`: too many failures (CHT-96). For browsers,
 * `unpaired`: revoked, or with the cookie of an earlier version; `stale`: a proof with another time.
 */
export type Shown = Identity | undefined | 'refused' | 'limited' | 'unpaired' | 'stale';

export const isIdentity = (shown: Shown): shown is Identity => typeof shown === 'object';

/** Names the confirmation that a browser's request waited for. */
export const CONFIRMATION_HEADER = 'drawbridge-confirmation';

export interface AuthMiddlewareOptions {
  readonly identify: (c: Context) => Promise<Shown>;
  /** Whether the request is identified by a bearer token, which only programs have. */
  readonly isByBearer: (c: Context) => boolean;
  /** Whether the request comes from a page that this relay served. */
  readonly isOwnOrigin: (c: Context) => boolean;
  readonly addressOf: (c: Context) => string;
  readonly now: () => number;
  /** Browsers reach this relay over the TLS of a proxy in front. */
  readonly trustedProxy: boolean;
  readonly limiter: FailureLimiter;
  readonly devices: Pick<Devices, 'confirmations' | 'passkeys' | 'retire'>;
}

export interface AuthMiddleware {
  /** Identifies the caller, or throws a refusal. */
  readonly caller: (c: Context) => Promise<Identity>;
  /**
   * Passes a program's request at once, and a browser's after its confirmation. `text`: the body, which is
   * part of the request.
   */
  readonly confirm: (c: Context, by: Identity, wanted: Wanted, text?: string) => Promise<void>;
  /** Runs unless these keys have failed too often; finding no pairing counts as a failure. */
  readonly attempt: <Answer>(keys: readonly string[], run: () => Answer) => Answer;
  /** Counts refused passkeys, also those refused after an await. */
  readonly attemptPasskey: <Answer>(c: Context, run: () => Promise<Answer>) => Promise<Answer>;
  /** Refuses to pair a page of another origin as a browser. */
  readonly checkTaker: (c: Context, asToken: boolean) => void;
  /** A browser that asks to pair with this public key. */
  readonly browser: (c: Context, key: unknown) => NewBrowser;
  /** Token in the cookie of an earlier version. */
  readonly formerOf: (c: Context) => string | undefined;
  readonly issueCredential: (c: Context, minted: Minted, asToken: boolean) => Response;
}

export function createAuthMiddleware(options: AuthMiddlewareOptions): AuthMiddleware {
  const { identify, isByBearer, isOwnOrigin, addressOf, now, trustedProxy, limiter, devices } = options;
  const formerOf = (c: Context): string | undefined =>
    isOwnOrigin(c) ? formerToken(c.req.header('cookie')) : undefined;
  const hasPasskey = async (c: Context): Promise<boolean> => {
    try {
      return await devices.passkeys.isThereFor(siteOf(c.req.url, trustedProxy));
    } catch (error) {
      // An IP address has no passkeys: a passkey belongs to a name.
      if (error instanceof DeviceError) return false;
      throw error;
    }
  };

  return {
    async caller(c) {
      const shown = await identify(c);
      if (shown === 'limited') throw rateLimited();
      if (shown === 'stale') {
        c.header(TIME_HEADER, String(now()));
        throw new DeviceError('proof_stale', STALE);
      }
      if (shown === 'unpaired') {
        await devices.retire(formerOf(c) ?? '');
        throw new DeviceError('pair_again', PAIR_AGAIN);
      }
      if (!isIdentity(shown)) {
        throw new DeviceError('unauthorized', 'No known device asks. Pair this one first: drawbridge pair.');
      }
      if (!isByBearer(c) && c.req.method !== 'GET' && !isOwnOrigin(c)) throw wrongOrigin();
      return shown;
    },

    async confirm(c, by, wanted, text = '') {
      if (isByBearer(c)) return;
      const request = hashOf(JSON.stringify([c.req.method, c.req.path, text]));
      const id = c.req.header(CONFIRMATION_HEADER);
      if (id !== undefined && devices.confirmations.take(id, by, request)) return;
      const { roles, ...shown } = devices.confirmations.open(by, wanted, request);
      throw new DeviceError('confirmation_needed', confirmationText(shown.id), {
        confirmation: { ...shown, roles: [...roles], passkey: await hasPasskey(c) },
      });
    },

    attempt(keys, run) {
      if (limiter.areTooMany(keys)) throw rateLimited();
      try {
        // `run` looks up before its first await, so concurrent guesses are judged one after another.
        return run();
      } catch (error) {
        if (error instanceof DeviceError && error.code === 'pairing_not_found') limiter.add(keys);
        throw error;
      }
    },

    async attemptPasskey(c, run) {
      const keys = [`passkeys from ${addressKey(addressOf(c))}`];
      if (limiter.areTooMany(keys)) throw rateLimited();
      try {
        return await run();
      } catch (error) {
        if (error instanceof DeviceError && error.code === 'passkey_refused') limiter.add(keys);
        throw error;
      }
    },

    checkTaker(c, asToken) {
      // Programs send no Origin, and every page that posts sends one.
      if (!asToken && c.req.header('origin') !== undefined && !isOwnOrigin(c)) throw wrongOrigin();
    },

    browser(c, key) {
      const former = formerOf(c);
      return { key: parseBrowserKey(key), ...(former !== undefined && { former }) };
    },

    formerOf,

    issueCredential(c, { device, token }, asToken) {
      if (asToken) return c.json({ ...identityOf(device), token });
      const ended = isOwnOrigin(c) ? endedCookie(c.req.header('cookie')) : undefined;
      if (ended !== undefined) c.header('Set-Cookie', ended);
      return c.json({ ...identityOf(device), browser_name: token });
    },
  };
}

export const PAIR_AGAIN =
  'Pair this browser again: open the link that drawbridge pair prints. Nothing else is lost.';

export const STALE = 'This proof is of another time: sign again, with the time in drawbridge-time.';

const confirmationText = (id: string): string =>
  `Confirm this with a passkey, on another device of an owner (Devices), or where the relay runs: drawbridge devices --approve ${id}`;

export const rateLimited = () =>
  new DeviceError('rate_limited', 'Too many attempts have failed: wait a minute, then try again.');

const wrongOrigin = () =>
  new DeviceError('wrong_origin', "Only the relay's own pages do this without a bearer token.");
