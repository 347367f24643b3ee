import { HTTP_ERRORS, type HttpErrorCode } from '@drawbridge/protocol/http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Identity } from '../core/ports.ts';
import { isIdentity, PAIR_AGAIN, STALE } from '../devices/auth-middleware.ts';
import { TIME_HEADER } from '../devices/proof.ts';
import type { Credentials } from './guard/credentials.ts';
import type { RequestOrigin } from './guard/request-origin.ts';

/** Context of every route: the request passed the guard, and `signedIn` adds its identity. */
export interface RelayEnv {
  Bindings: HttpBindings & { readonly origin: RequestOrigin };
  Variables: { identity: Identity };
}

/** Passes callers with a valid credential that `admits` accepts. */
export function signedIn(
  { identify, now }: Credentials,
  admits: (identity: Identity) => boolean,
): MiddlewareHandler<RelayEnv> {
  return async (context, next) => {
    const shown = await identify(context.env.incoming, context.env.origin);
    if (shown === 'limited') return limited(context);
    if (shown === 'stale') {
      context.header(TIME_HEADER, String(now()));
      return refuse(context, 'proof_stale', STALE);
    }
    if (shown === 'unpaired') return refuse(context, 'pair_again', PAIR_AGAIN);
    if (!isIdentity(shown)) return unauthorized(context);
    if (!admits(shown)) return refuse(context, 'forbidden', 'This device may not do that.');
    context.set('identity', shown);
    return next();
  };
}

export const bodyOf = (bytes: number): MiddlewareHandler =>
  bodyLimit({
    maxSize: bytes,
    onError: (context) =>
      refuse(context, 'invalid_request', `The body is longer than ${bytes} bytes: send less.`),
  });

const unauthorized = (context: Context): Response => {
  context.header('www-authenticate', 'Bearer');
  return refuse(context, 'unauthorized', 'Show the token of a paired device in Authorization: Bearer.');
};

const limited = (context: Context): Response => {
  context.header('retry-after', '60');
  return refuse(context, 'rate_limited', 'Too many wrong credentials. Try again in a minute.');
};

/** INT-305: `message` stands at the top level too. */
export const refuse = (context: Context, code: HttpErrorCode, message: string): Response =>
  context.json({ error: { code, message }, message }, HTTP_ERRORS[code]);

const NOTHING_HERE = 'There is nothing here.';

/** Has `message` at the top level too: clients of the interact protocol read it there (INT-300). */
export const nothingHere = (context: Context): Response =>
  context.json({ error: { code: 'not_found', message: NOTHING_HERE }, message: NOTHING_HERE }, 404);
