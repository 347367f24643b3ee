import { Hono } from 'hono';
import type { RelayCore } from '../../core/ports.ts';
import type { Audit } from '../../ledger/writes.ts';
import type { Credentials } from '../guard/credentials.ts';
import { isAtHome, isOwner, isPerson } from '../guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../relay-env.ts';
import { searchAudit } from './audit-search.ts';
import { type DeletionPorts, deleteSession } from './session-deletion.ts';
import { exportOf } from './session-export.ts';
import { seenSession, seenSessions } from './session-summary.ts';
import { parseSettings, readSettings, settingsWrite } from './settings.ts';
import { searchTranscripts } from './transcript-search.ts';

export interface SessionsApiOptions extends DeletionPorts {
  readonly core: Pick<RelayCore, 'machines'>;
  readonly credentials: Credentials;
}

const OWN_PATHS = ['/machines', '/sessions', '/sessions/*', '/search', '/settings', '/audit'];
const BODY_BYTES = 16_384;
const QUERY_CHARS = 200;
const AUDIT_ENTRIES = { usual: 100, most: 1_000 };

/** Sessions API: lists, exports and deletes stored data at `/api/{machines,sessions,search,settings,audit}`. */
export function sessionsApiRoutes(options: SessionsApiOptions): Hono<RelayEnv> {
  const { ledger, clock, credentials } = options;
  const forPeople = signedIn(credentials, isPerson);
  const forOwners = signedIn(credentials, isOwner);
  const routes = new Hono<RelayEnv>();
  for (const path of OWN_PATHS) {
    routes.use(path, async (context, next) => {
      context.header('cache-control', 'no-store');
      await next();
    });
  }

  return routes
    .get('/machines', signedIn(credentials, isAtHome), (context) =>
      context.json({ machines: options.core.machines() }),
    )
    .get('/sessions', forPeople, async (context) =>
      context.json({ sessions: await seenSessions(ledger, context.get('identity')) }),
    )
    .get('/sessions/:id/export', forPeople, async (context) => {
      const session = await seenSession(ledger, context.get('identity'), context.req.param('id'));
      if (session === undefined) return refuse(context, 'not_found', NO_SUCH_SESSION);
      return new Response(exportOf(ledger, session, clock.now()), {
        headers: {
          'content-type': 'application/jsonl; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName(session.session_id)}"`,
          'cache-control': 'no-store',
        },
      });
    })
    .delete('/sessions/:id', forPeople, async (context) => {
      const identity = context.get('identity');
      const session = await seenSession(ledger, identity, context.req.param('id'));
      if (session === undefined) return refuse(context, 'not_found', NO_SUCH_SESSION);
      if (!isAtHome(identity)) return refuse(context, 'forbidden', 'A guest may not delete a session.');
      const deletion = await deleteSession(options, session, identity);
      if (deletion === 'deleted') return context.body(null, 204);
      if (deletion === 'unknown') return refuse(context, 'not_found', NO_SUCH_SESSION);
      return refuse(context, 'session_connected', STILL_CONNECTED);
    })
    .get('/search', forPeople, async (context) => {
      const query = context.req.query('q') ?? '';
      const found =
        query.length > QUERY_CHARS
          ? undefined
          : await searchTranscripts(ledger, context.get('identity'), query);
      if (found !== undefined) return context.json(found);
      return refuse(context, 'invalid_request', `Give "q" with a word, at most ${QUERY_CHARS} characters.`);
    })
    .get('/settings', forPeople, async (context) => context.json(await readSettings(ledger)))
    .put('/settings', forOwners, bodyOf(BODY_BYTES), async (context) => {
      const settings = parseSettings(await context.req.text());
      if (typeof settings === 'string') return refuse(context, 'invalid_request', settings);
      const { device_id } = context.get('identity');
      const detail = { retention_days: settings.retention_days };
      const changed = { device_id, action: 'settings_changed', subject: 'relay', detail };
      const audit: Audit = { do: 'audit', entry: { at: clock.now(), ...changed } };
      await ledger.commit([settingsWrite(settings), audit]);
      return context.json(settings);
    })
    .get('/audit', signedIn(credentials, isAtHome), async (context) => {
      const { device: chosen, action, subject, ...asked } = context.req.query();
      const before = readCount(asked['before'], Number.MAX_SAFE_INTEGER);
      const limit = readCount(asked['limit'], AUDIT_ENTRIES.usual);
      const from = readCount(asked['from'], 0);
      const until = readCount(asked['until'], Number.MAX_SAFE_INTEGER);
      if ([before, limit, from, until].includes(undefined)) {
        const wanted = '"before", "limit", "from" and "until" are whole numbers from 1.';
        return refuse(context, 'invalid_request', wanted);
      }
      // Only an owner sees the actions of others.
      const { device_id, roles } = context.get('identity');
      const device = roles.includes('owner') ? chosen : device_id;
      const most = Math.min(limit ?? 0, AUDIT_ENTRIES.most);
      const query = { before: before ?? 0, limit: most, device, action, subject, from, until };
      return context.json(await searchAudit(ledger, query));
    });
}

const NO_SUCH_SESSION = 'There is no such session.';
const STILL_CONNECTED = 'The agent is still connected. Close the session first, then delete it.';

/** A proxy chooses the id: no part of it may become a path or end a header's value. */
const fileName = (session_id: string): string =>
  `${session_id
    .replace(/[^\w.-]/g, '_')
    .slice(0, 100)
    .replace(/^\.+/, '')}.jsonl`;

/** Undefined for an invalid count. */
function readCount(text: string | undefined, otherwise: number): number | undefined {
  if (text === undefined) return otherwise;
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}
