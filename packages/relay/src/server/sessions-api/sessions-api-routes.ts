import type { Audit } from '@drawbridge/ledger';
import { SESSIONS_API } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { RelayCore } from '../../core/ports.ts';
import type { Credentials } from '../guard/credentials.ts';
import { isAtHome } from '../guard/permission.ts';
import type { RelayEnv } from '../relay-env.ts';
import { serveRoutes } from '../serve-routes.ts';
import { searchAudit } from './audit-search.ts';
import { type DeletionPorts, deleteSession } from './session-deletion.ts';
import { exportOf } from './session-export.ts';
import { seenSession, seenSessions } from './session-summary.ts';
import { parseSettings, readSettings, settingsWrite } from './settings.ts';
import { searchTranscripts } from './transcript-search.ts';

export interface SessionsApiOptions extends DeletionPorts {
  readonly core: Pick<RelayCore, 'appended' | 'machines'>;
  readonly credentials: Credentials;
}

const QUERY_CHARS = 200;
const AUDIT_ENTRIES = { usual: 100, most: 1_000 };

/** Lists, exports and deletes stored data. */
export function sessionsApiRoutes(options: SessionsApiOptions): Hono<RelayEnv> {
  const { ledger, clock, credentials, core } = options;
  return serveRoutes(SESSIONS_API, credentials, {
    'GET /api/machines': () => ({ machines: core.machines() }),
    'GET /api/sessions': async ({ identity }) => ({ sessions: await seenSessions(ledger, identity) }),
    async 'GET /api/sessions/{session_id}/export'({ identity, params, refuse }) {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      return new Response(exportOf(ledger, session, clock.now()), {
        headers: {
          'content-type': 'application/jsonl; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName(session.session_id)}"`,
          'cache-control': 'no-store',
        },
      });
    },
    async 'DELETE /api/sessions/{session_id}'({ identity, params, refuse }) {
      const session = await seenSession(ledger, identity, params.session_id);
      if (session === undefined) return refuse('not_found', NO_SUCH_SESSION);
      if (!isAtHome(identity)) return refuse('forbidden', 'A guest may not delete a session.');
      const deletion = await deleteSession(options, session, identity);
      if (deletion === 'unknown') return refuse('not_found', NO_SUCH_SESSION);
      return deletion === 'deleted' ? undefined : refuse('session_connected', STILL_CONNECTED);
    },
    async 'GET /api/search'({ identity, query: { q = '' }, refuse }) {
      const found = q.length > QUERY_CHARS ? undefined : await searchTranscripts(ledger, identity, q);
      return found ?? refuse('invalid_request', `Give "q" with a word, at most ${QUERY_CHARS} characters.`);
    },
    'GET /api/settings': () => readSettings(ledger),
    async 'PUT /api/settings'({ context, identity: { device_id }, refuse }) {
      const settings = parseSettings(await context.req.text());
      if (typeof settings === 'string') return refuse('invalid_request', settings);
      const detail = { retention_days: settings.retention_days };
      const changed = { device_id, action: 'settings_changed' as const, subject: 'relay', detail };
      const audit: Audit = { do: 'audit', entry: { at: clock.now(), ...changed } };
      await ledger.commit([settingsWrite(settings), audit]);
      return settings;
    },
    async 'GET /api/audit'({ identity: { device_id, roles }, query, refuse }) {
      const before = readCount(query.before, Number.MAX_SAFE_INTEGER);
      const limit = readCount(query.limit, AUDIT_ENTRIES.usual);
      const from = readCount(query.from, 0);
      const until = readCount(query.until, Number.MAX_SAFE_INTEGER);
      if ([before, limit, from, until].includes(undefined)) {
        return refuse('invalid_request', '"before", "limit", "from" and "until" are whole numbers from 1.');
      }
      // Only an owner sees the actions of others.
      const device = roles.includes('owner') ? query.device : device_id;
      const most = Math.min(limit ?? 0, AUDIT_ENTRIES.most);
      const { action, subject } = query;
      return searchAudit(ledger, { before: before ?? 0, limit: most, device, action, subject, from, until });
    },
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
