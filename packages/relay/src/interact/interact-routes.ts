import {
  BridgeError,
  type InteractRequest,
  interactRequest,
  LIMITS,
  sessionRename,
} from '@drawbridge/protocol';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Identity } from '../core/ports.ts';
import { isIdentity } from '../devices/auth-middleware.ts';
import type { FailureLimiter } from '../devices/failure-limiter.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isAtHome, maySeeSession } from '../server/guard/permission.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { type AgentSessions, BRAIN_DEVICE } from './agent-sessions.ts';
import { rootDomainOf } from './domain.ts';
import type { Interact } from './interact.ts';
import { failureOf, INTERACT_ERRORS, InteractError } from './interact-error.ts';
import { messageAnswer } from './message-list.ts';
import { shownTabSession } from './tab-session.ts';

export interface InteractRoutesOptions {
  readonly interact: Interact;
  readonly sessions: Pick<AgentSessions, 'open'>;
  readonly ledger: Ledger;
  readonly credentials: Credentials;
  /** INT-289 */
  readonly calls: FailureLimiter;
}

/** A character takes up to three bytes; the limit counts characters. */
const BODY_BYTES = 3 * LIMITS.interact_request.value;
const RENAME_BYTES = 16_384;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** Contract 4: `/api/agent/interact` and `/api/session/…`. */
export function interactRoutes(options: InteractRoutesOptions): Hono<RelayEnv> {
  const { interact, sessions, ledger, credentials, calls } = options;
  const routes = new Hono<RelayEnv>();

  routes.use('/agent/interact', signedIn);
  routes.use('/session/*', signedIn);

  /** INT-73: a session of another device looks like a missing one. */
  const isSeen = async (identity: Identity, session_id: string): Promise<boolean> => {
    const [tab, session] = await Promise.all([ledger.tabSession(session_id), ledger.session(session_id)]);
    if (session?.proxy_device_id !== BRAIN_DEVICE) return false;
    return tab?.device_id === identity.device_id || maySeeSession(identity, session_id, BRAIN_DEVICE);
  };

  return routes
    .post(
      '/agent/interact',
      bodyLimit({ maxSize: BODY_BYTES, onError: (context) => refuse(context, TOO_LARGE) }),
      async (context) => {
        const identity = context.get('identity');
        if (calls.areTooMany([identity.device_id])) return refuse(context, TOO_MANY);
        calls.add([identity.device_id]);
        const text = await context.req.text();
        if (text.length > LIMITS.interact_request.value) return refuse(context, TOO_LARGE);
        const key = context.req.header('idempotency-key');
        if (key !== undefined && !KEY.test(key)) return refuse(context, BAD_KEY);
        const request = parsed<InteractRequest>(() => interactRequest.parse(text));
        if (request instanceof InteractError) return refuse(context, request);
        if (SECRET_FIELDS.test(text)) {
          const pageChars = text.length - (request.screenshot?.length ?? 0);
          for (let read = SCANNED_CHARS; read < pageChars; read += SCANNED_CHARS) {
            calls.add([identity.device_id]);
          }
        }
        const isGone = () => context.env.outgoing.destroyed;
        const answer = await interact.interact(identity, request, {
          isGone,
          ...(key !== undefined && { key }),
        });
        if (!('success' in answer) || answer.success) return context.json(answer);
        return context.json(answer, statusOf(answer.code));
      },
    )
    .get('/session/latest', async (context) => {
      const { device_id } = context.get('identity');
      const session = await ledger.latestTabSession({ device_id });
      return session === undefined ? refuse(context, NO_SESSION) : context.json(shownTabSession(session));
    })
    .get('/session/by-domain/:domain', async (context) => {
      const { device_id } = context.get('identity');
      const named = context.req.param('domain').toLowerCase();
      const domain = rootDomainOf(`https://${named}/`) ?? named;
      const session = await ledger.latestTabSession({ device_id, domain });
      return context.json({ session: session === undefined ? null : shownTabSession(session) });
    })
    .get('/session/:id/messages', async (context) => {
      const sessionId = context.req.param('id');
      if (await isSeen(context.get('identity'), sessionId)) {
        return context.json(await messageAnswer(ledger, sessionId));
      }
      return context.json({ sessionId, messages: [], total: 0, sessionExists: false });
    })
    .patch(
      '/session/:id',
      bodyLimit({ maxSize: RENAME_BYTES, onError: (context) => refuse(context, TOO_LARGE) }),
      async (context) => {
        const text = await context.req.text();
        const rename = parsed(() => sessionRename.parse(text));
        if (rename instanceof InteractError) return refuse(context, rename);
        const session_id = context.req.param('id');
        const session = await ledger.tabSession(session_id);
        if (session === undefined || !(await isSeen(context.get('identity'), session_id))) {
          return refuse(context, NO_SESSION);
        }
        const renamed = { ...session, title: rename.title.toWellFormed(), is_renamed: true };
        await ledger.commit([{ do: 'put_tab_session', session: renamed }]);
        await sessions.open({ session_id, title: renamed.title });
        return context.json(shownTabSession(renamed));
      },
    );

  /** INT-70 */
  async function signedIn(context: Context<RelayEnv>, next: () => Promise<void>) {
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
  }
}

/** A page with such a field is searched for its value, which takes a second for a megabyte. */
const SECRET_FIELDS = /password|one-time-code|cc-/i;
/** Counts as one more call. */
const SCANNED_CHARS = 16_384;

const mayInteract = (identity: Identity): boolean =>
  isAtHome(identity) || (identity.scopes.length === 0 && identity.roles.includes('runtime'));

/** Turns a body that breaks a rule into an error that names the field. */
function parsed<Body>(parse: () => Body): Body | InteractError {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    const { path } = error.evidence ?? {};
    return new InteractError('invalid_request', error.message, typeof path === 'string' ? { path } : {});
  }
}

const refuse = (context: Context, error: InteractError): Response =>
  context.json(failureOf(error), INTERACT_ERRORS[error.code]);

const statusOf = (code: string) =>
  Object.entries(INTERACT_ERRORS).find(([name]) => name === code)?.[1] ?? 500;

const TOO_LARGE = new InteractError(
  'body_too_large',
  `The body is over ${LIMITS.interact_request.value} characters. Send less of the page.`,
);
const TOO_MANY = new InteractError('rate_limited', 'Too many calls. Try again in a minute.');
const LIMITED = new InteractError('rate_limited', 'Too many wrong credentials. Try again in a minute.');
const BAD_KEY = new InteractError(
  'invalid_request',
  'Idempotency-Key takes 1 to 200 visible ASCII characters.',
  { path: 'Idempotency-Key' },
);
const NO_SESSION = new InteractError('session_not_found', 'There is no such session.');
const UNAUTHORIZED = new InteractError(
  'unauthorized',
  'Show the token of a paired device in Authorization: Bearer.',
);
const FORBIDDEN = new InteractError('forbidden', 'This device may not do that.');
