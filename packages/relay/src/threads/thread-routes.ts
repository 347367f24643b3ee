import { Hono } from 'hono';
import type { Ledger } from '../ledger/ledger.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isAtHome, isPerson } from '../server/guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../server/relay-env.ts';
import { summaryOf } from '../server/runtimes/runtime-routes.ts';
import { seenSession } from '../server/sessions-api/session-summary.ts';
import type { BrowserThreads } from './browser-threads.ts';

export interface ThreadRoutesOptions {
  readonly credentials: Credentials;
  readonly ledger: Ledger;
  readonly threads: BrowserThreads;
}

const BODY_BYTES = 4_096;
const NOT_LENT = 'No browser is lent to this session.';

/** `/api/sessions/:id/browser`: a proxy gets its agent's token; people see it and take it back (CHT-329, CHT-330). */
export function threadRoutes({ credentials, ledger, threads }: ThreadRoutesOptions): Hono<RelayEnv> {
  const forProxies = signedIn(credentials, ({ roles }) => roles.includes('proxy'));
  return new Hono<RelayEnv>()
    .post('/sessions/:id/browser', forProxies, bodyOf(BODY_BYTES), async (context) => {
      context.header('cache-control', 'no-store');
      const body: unknown = await context.req.json().catch(() => undefined);
      const given =
        typeof body === 'object' && body !== null && 'request_id' in body ? body.request_id : undefined;
      const request_id = typeof given === 'string' ? given : undefined;
      const lent = await threads.lend(context.get('identity'), context.req.param('id'), request_id);
      return lent === undefined ? refuse(context, 'not_found', NOT_LENT) : context.json(lent, 201);
    })
    .get('/sessions/:id/browser', signedIn(credentials, isPerson), async (context) => {
      context.header('cache-control', 'no-store');
      const session = await seenSession(ledger, context.get('identity'), context.req.param('id'));
      if (session === undefined) return refuse(context, 'not_found', NO_SUCH_SESSION);
      const thread = threads.of(session.session_id);
      if (thread === undefined || thread.isStopped()) return context.json({ lent: false });
      const { origins } = thread;
      return context.json({
        ...{ lent: true, ...(origins && { origins }), tabs: thread.tabs().map(summaryOf) },
        tab: thread.tab()?.runtime_id ?? null,
        ...(thread.isOwn && { came: true }),
      });
    })
    .delete('/sessions/:id/browser', signedIn(credentials, isAtHome), async (context) => {
      const session = await seenSession(ledger, context.get('identity'), context.req.param('id'));
      if (session === undefined) return refuse(context, 'not_found', NO_SUCH_SESSION);
      return threads.takeBack(session.session_id)
        ? context.body(null, 204)
        : refuse(context, 'not_found', NOT_LENT);
    });
}

const NO_SUCH_SESSION = 'There is no such session.';
