import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Identity } from '../core/ports.ts';
import type { Credentials } from './guard/credentials.ts';
import type { RequestOrigin } from './guard/request-origin.ts';

/** What every route knows: the request passed the guard, and, after `signedIn`, whose it is. */
export interface RelayEnv {
  Bindings: HttpBindings & { readonly origin: RequestOrigin };
  Variables: { identity: Identity };
}

/** Lets in who shows a good credential that `admits` likes. */
export function signedIn(
  { identify }: Credentials,
  admits: (identity: Identity) => boolean,
): MiddlewareHandler<RelayEnv> {
  return async (context, next) => {
    const shown = await identify(context.env.incoming, context.env.origin);
    if (shown === 'limited') return limited(context);
    if (shown === undefined || shown === 'refused') return unauthorized(context);
    if (!admits(shown)) return refuse(context, 403, 'forbidden', 'This device may not do that.');
    context.set('identity', shown);
    return next();
  };
}

const unauthorized = (context: Context): Response => {
  context.header('www-authenticate', 'Bearer');
  return refuse(context, 401, 'unauthorized', 'Show the token of a paired device in Authorization: Bearer.');
};

const limited = (context: Context): Response => {
  context.header('retry-after', '60');
  return refuse(context, 429, 'too_many_attempts', 'Too many wrong credentials. Try again in a minute.');
};

export function refuse(
  context: Context,
  status: 400 | 401 | 403 | 404 | 411 | 413 | 429 | 500 | 503 | 507,
  code: string,
  message: string,
): Response {
  return context.json({ error: { code, message } }, status);
}
