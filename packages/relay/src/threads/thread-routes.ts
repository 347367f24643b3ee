import { LENT_BROWSER, type LentTabs } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { Ledger } from '../ledger/ledger.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { summaryOf } from '../server/runtimes/runtime-routes.ts';
import { serveRoutes } from '../server/serve-routes.ts';
import { seenSession } from '../server/sessions-api/session-summary.ts';
import type { BrowserThreads } from './browser-threads.ts';

export interface ThreadRoutesOptions {
  readonly credentials: Credentials;
  readonly ledger: Ledger;
  readonly threads: BrowserThreads;
}

const NOT_LENT = 'No browser is lent to this session.';
const NO_SUCH_SESSION = 'There is no such session.';

/** A proxy gets its agent's token; people see it and take it back (CHT-329, CHT-330). */
export const threadRoutes = ({ credentials, ledger, threads }: ThreadRoutesOptions): Hono<RelayEnv> =>
  serveRoutes(LENT_BROWSER, credentials, {
    async 'POST /api/sessions/{session_id}/browser'({ context, identity, params, refuse }) {
      const body: unknown = await context.req.json().catch(() => undefined);
      const given =
        typeof body === 'object' && body !== null && 'request_id' in body ? body.request_id : undefined;
      const request_id = typeof given === 'string' ? given : undefined;
      return (await threads.lend(identity, params.session_id, request_id)) ?? refuse('not_found', NOT_LENT);
    },
    async 'GET /api/sessions/{session_id}/browser'({
      identity,
      params,
      refuse,
    }): Promise<LentTabs | Response> {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      const thread = threads.of(session.session_id);
      if (thread === undefined || thread.isStopped()) return { lent: false };
      const { origins } = thread;
      return {
        ...{ lent: true, ...(origins && { origins }), tabs: thread.tabs().map(summaryOf) },
        tab: thread.tab()?.runtime_id ?? null,
        ...(thread.isOwn && { came: true }),
      };
    },
    async 'DELETE /api/sessions/{session_id}/browser'({ identity, params, refuse }) {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      return threads.takeBack(session.session_id) ? undefined : refuse('not_found', NOT_LENT);
    },
  });
