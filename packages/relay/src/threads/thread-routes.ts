import type { Ledger } from '@drawbridge/ledger';
import { LENT_BROWSER, type LentTabs } from '@drawbridge/protocol/http';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { Hono } from 'hono';
import { isAgentSession } from '../approvals/prompt-asker.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isAtHome } from '../server/guard/permission.ts';
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

const MAX_ORIGINS = 50;
const WISH_FORM = `Send {"origins": ["https://…"]} with 1 to ${MAX_ORIGINS} origins, or {} for every lent tab.`;
const BODY_CHARS = 16_384;

/** Returns a message for an invalid wish. */
function parseWish(text: string): { readonly origins?: readonly string[] } | string {
  const read = readJson(text === '' ? '{}' : text, BODY_CHARS);
  if (!read.ok || !isObject(read.value)) return WISH_FORM;
  const { origins } = read.value;
  if (origins === undefined) return {};
  if (!Array.isArray(origins) || origins.length === 0 || origins.length > MAX_ORIGINS) return WISH_FORM;
  const fit = origins.filter(
    (each) => typeof each === 'string' && /^https?:/.test(each) && URL.parse(each)?.origin === each,
  );
  return fit.length === origins.length ? { origins: fit } : WISH_FORM;
}

const NOTHING_TO_TAKE = 'No browser is lent to this session, or its agent is stopped.';
const NOT_TAKEN_OVER = 'Nobody has taken over the browser of this session.';
const NOT_LENT = 'No browser is lent to this session.';
/** Such an agent’s token is not of this session alone. */
const OWN_AGENT =
  'This agent came by itself and uses every lent tab. Send {}, or start it from a proxy to choose its sites.';
const NO_SUCH_SESSION = 'There is no such session.';

/** A proxy gets its agent's token; people see it and take it back (CHT-329, CHT-330). */
export const threadRoutes = ({ credentials, ledger, threads }: ThreadRoutesOptions): Hono<RelayEnv> =>
  serveRoutes(LENT_BROWSER, credentials, {
    async 'POST /api/sessions/{session_id}/browser'({ context, identity, params, refuse }) {
      const lent = await threads.lend(identity, params.session_id, context.req.raw.signal);
      if (lent === undefined) return refuse('not_found', NO_SUCH_SESSION);
      return 'refused' in lent ? refuse('forbidden', lent.refused) : lent;
    },
    async 'GET /api/sessions/{session_id}/browser'({
      identity,
      params,
      refuse,
    }): Promise<LentTabs | Response> {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      const seen = threads.seen(session.session_id);
      if (seen === undefined) return { lent: false, taken: threads.isDecided(session.session_id) };
      const { origins, tabs, tab, isOwn, isStopped, pausedBy } = seen;
      // A guest sees what the agent did, and none of the person's tabs.
      const shown = isAtHome(identity) ? { tabs: tabs.map(summaryOf), tab } : { tabs: [], tab: undefined };
      const others = shown.tab ? threads.agentsIn(shown.tab) : [];
      const beside = others.filter((other) => other.session_id !== session.session_id);
      return {
        ...{ lent: true, ...(origins && { origins }), tabs: shown.tabs },
        tab: shown.tab?.runtime_id ?? null,
        ...(beside.length > 0 && { beside }),
        ...(isOwn && { came: true }),
        ...(isStopped && { stopped: true }),
        ...(pausedBy !== undefined && { paused_by: pausedBy }),
      };
    },
    async 'PUT /api/sessions/{session_id}/browser'({ context, identity, params, refuse }) {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined || session.closed_at !== null) return refuse('not_found', NO_SUCH_SESSION);
      const wish = parseWish(await context.req.text());
      if (typeof wish === 'string') return refuse('invalid_request', wish);
      if (wish.origins && isAgentSession(session.session_id)) return refuse('invalid_request', OWN_AGENT);
      await threads.allow(identity, session.session_id, wish.origins);
      return undefined;
    },
    async 'DELETE /api/sessions/{session_id}/browser'({ identity, params, refuse }) {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      return (await threads.takeBack(identity, session.session_id))
        ? undefined
        : refuse('not_found', NOT_LENT);
    },
    async 'POST /api/sessions/{session_id}/browser/takeover'({ identity, params, refuse }) {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      return (await threads.takeOver(identity, session.session_id))
        ? undefined
        : refuse('not_found', NOTHING_TO_TAKE);
    },
    async 'POST /api/sessions/{session_id}/browser/handback'({ identity, params, refuse }) {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      return (await threads.giveBack(identity, session.session_id))
        ? undefined
        : refuse('not_found', NOT_TAKEN_OVER);
    },
  });
