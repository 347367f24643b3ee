import { BridgeError } from '@drawbridge/protocol';
import { INTERACT_ERRORS, type InteractErrorCode } from '@drawbridge/protocol/http';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Identity } from '../core/ports.ts';
import { isIdentity } from '../devices/auth-middleware.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isAtHome } from '../server/guard/permission.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { failureOf, InteractError } from './interact-error.ts';

export const refuse = (context: Context, error: InteractError): Response => {
  if (error.code === 'rate_limited') context.header('retry-after', '60');
  const failure = failureOf(error);
  const { code, message } = failure;
  const body = NEWER_PATHS.test(context.req.path)
    ? { ...failure, code: NEWER_CODES[code] ?? code.toUpperCase(), error: message }
    : failure;
  return context.json(body, INTERACT_ERRORS[code]);
};

/** INT-334: the routes that only the newer document has. */
const NEWER_PATHS =
  /^\/api\/(?:session(?:\/init|\/[^/]+\/task\/[^/]+\/(?:resume|report))?|knowledge\/upload-to-s3)$/;
/** The document's words for our codes, where they are not the same in capitals. */
const NEWER_CODES: Readonly<Partial<Record<InteractErrorCode, string>>> = {
  invalid_request: 'VALIDATION_ERROR',
  forbidden: 'UNAUTHORIZED',
  internal: 'INTERNAL_ERROR',
};

/** Refuses a larger body with this error. */
export const limitOf = (bytes: number, error: InteractError): MiddlewareHandler =>
  bodyLimit({ maxSize: bytes, onError: (context) => refuse(context, error) });

/** INT-288 */
export const mayInteract = (identity: Identity): boolean =>
  isAtHome(identity) || (identity.scopes.length === 0 && identity.roles.includes('runtime'));

/** INT-70 */
export function signedInToInteract(credentials: Credentials): MiddlewareHandler<RelayEnv> {
  return async (context, next) => {
    context.header('cache-control', 'no-store');
    const shown = await credentials.identify(context.env.incoming, context.env.origin);
    if (shown === 'limited') return refuse(context, LIMITED);
    if (!isIdentity(shown)) {
      context.header('www-authenticate', 'Bearer');
      return refuse(context, UNAUTHORIZED);
    }
    if (!mayInteract(shown)) return refuse(context, FORBIDDEN);
    context.set('identity', shown);
    return next();
  };
}

/** Turns a body that breaks a rule into an error that names the field. */
export function parsed<Body>(parse: () => Body): Body | InteractError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InteractError) return error;
    if (!(error instanceof BridgeError)) throw error;
    const { path } = error.evidence ?? {};
    return new InteractError('invalid_request', error.message, typeof path === 'string' ? { path } : {});
  }
}

export const invalid = (path: string, message: string): InteractError =>
  new InteractError('invalid_request', message, { path });

export const TOO_MANY = new InteractError('rate_limited', 'Too many calls. Try again in a minute.');
export const NO_SESSION = new InteractError('session_not_found', 'There is no such session.');
const LIMITED = new InteractError('rate_limited', 'Too many wrong credentials. Try again in a minute.');
const UNAUTHORIZED = new InteractError(
  'unauthorized',
  'Show the token of a paired device in Authorization: Bearer.',
);
export const FORBIDDEN = new InteractError('forbidden', 'This device may not do that.');
