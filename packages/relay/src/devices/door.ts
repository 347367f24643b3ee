import type { Context } from 'hono';
import type { Identity } from '../core/ports.ts';
import { endedCookie, tokenCookie, tokenFromCookie } from './cookie.ts';
import { identityOf } from './device.ts';
import { DeviceError } from './device-error.ts';
import type { FailureLimiter } from './failure-limiter.ts';
import type { Minted } from './register.ts';

/** Undefined: none was shown. `refused`: not a good one. `limited`: one failure too many (CHT-96). */
export type Shown = Identity | undefined | 'refused' | 'limited';

export interface DoorOptions {
  readonly identify: (c: Context) => Promise<Shown>;
  /** Whether a page that this relay served asks. */
  readonly isOwnOrigin: (c: Context) => boolean;
  /** Whether browsers reach this relay by TLS. */
  readonly secure: boolean;
  readonly limiter: FailureLimiter;
}

export interface Door {
  /** Who asks, or a refusal. */
  readonly caller: (c: Context) => Promise<Identity>;
  /** Runs it unless these have failed too often; that it finds no pairing counts as a failure. */
  readonly attempt: <Answer>(keys: readonly string[], run: () => Answer) => Answer;
  /** Who would get a cookie: refused when it is a page elsewhere. */
  readonly checkTaker: (c: Context, asToken: boolean) => void;
  readonly handOver: (c: Context, minted: Minted, asToken: boolean) => Response;
}

export function createDoor({ identify, isOwnOrigin, secure, limiter }: DoorOptions): Door {
  return {
    async caller(c) {
      const shown = await identify(c);
      if (shown === 'limited') throw rateLimited();
      if (shown === undefined || shown === 'refused') {
        // A page cannot take a dead cookie away, and would fail with it until its address is refused.
        const isDead =
          shown === 'refused' && isOwnOrigin(c) && tokenFromCookie(c.req.header('cookie'), secure);
        if (isDead) c.header('Set-Cookie', endedCookie(secure));
        throw new DeviceError('unauthorized', 'No known device asks. Pair this one first: drawbridge pair.');
      }
      const isByBearer = /^Bearer /i.test(c.req.header('authorization') ?? '');
      if (!isByBearer && c.req.method !== 'GET' && !isOwnOrigin(c)) throw wrongOrigin();
      return shown;
    },

    attempt(keys, run) {
      if (limiter.areTooMany(keys)) throw rateLimited();
      try {
        // What it finds out, it finds out before it waits: guesses sent at once are judged one after another.
        return run();
      } catch (error) {
        if (error instanceof DeviceError && error.code === 'pairing_not_found') limiter.add(keys);
        throw error;
      }
    },

    checkTaker(c, asToken) {
      // No program has an Origin, and every page that posts has one.
      if (!asToken && c.req.header('origin') !== undefined && !isOwnOrigin(c)) throw wrongOrigin();
    },

    handOver(c, { device, token }, asToken) {
      if (asToken) return c.json({ ...identityOf(device), token });
      c.header('Set-Cookie', tokenCookie(token, secure));
      return c.json(identityOf(device));
    },
  };
}

export const rateLimited = () =>
  new DeviceError('rate_limited', 'Too many attempts have failed: wait a minute, then try again.');

const wrongOrigin = () =>
  new DeviceError('wrong_origin', "Only the relay's own pages do this with a cookie: use a bearer token.");
