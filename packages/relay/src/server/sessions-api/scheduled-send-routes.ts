import type { Ledger } from '@drawbridge/ledger';
import { SCHEDULED_SENDS } from '@drawbridge/protocol/http';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { Hono } from 'hono';
import type { RelayCore } from '../../core/ports.ts';
import { MAX_SCHEDULED_CHARS, type WantedSend } from '../../core/scheduled-sends.ts';
import type { Credentials } from '../guard/credentials.ts';
import type { RelayEnv } from '../relay-env.ts';
import { serveRoutes } from '../serve-routes.ts';
import { seenSession } from './session-summary.ts';

export interface ScheduledSendOptions {
  readonly core: Pick<RelayCore, 'scheduledSends'>;
  readonly ledger: Ledger;
  readonly clock: { readonly now: () => number };
  readonly credentials: Credentials;
}

const BODY_BYTES = 4 * MAX_SCHEDULED_CHARS;
const LONGEST_MS = 366 * 86_400_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Sends that the relay accepts later (CHT-337 to CHT-341). */
export function scheduledSendRoutes(options: ScheduledSendOptions): Hono<RelayEnv> {
  const { core, ledger, clock, credentials } = options;
  const { scheduledSends } = core;
  return serveRoutes(SCHEDULED_SENDS, credentials, {
    'GET /api/scheduled-sends': ({ identity, query }) => ({
      scheduled_sends: scheduledSends.list(identity.device_id, query.session_id),
    }),
    async 'POST /api/scheduled-sends'({ context, identity, refuse }) {
      const wanted = parseWanted(await context.req.text(), clock.now());
      if (typeof wanted === 'string') return refuse('invalid_request', wanted);
      if ((await seenSession(ledger, identity, wanted.session_id)) === undefined)
        return refuse('not_found', NO_SUCH_SESSION);
      const scheduled = await scheduledSends.schedule(identity, wanted);
      if (scheduled === 'session_unknown') return refuse('not_found', NO_SUCH_SESSION);
      if (scheduled === 'too_many') return refuse('rate_limited', TOO_MANY);
      return { scheduled_send: scheduled };
    },
    async 'DELETE /api/scheduled-sends/{id}'({ identity, params, refuse }) {
      const cancelled = await scheduledSends.cancel(identity.device_id, params.id);
      if (cancelled === undefined) return refuse('not_found', NO_SUCH_SEND);
      if (cancelled === 'dispatching') return refuse('already_sent', ALREADY_SENT);
      return { scheduled_send: cancelled };
    },
  });
}

const NO_SUCH_SESSION = 'There is no such session, or it is closed.';
const NO_SUCH_SEND = 'This device has scheduled no such message, or it has its outcome.';
const ALREADY_SENT = 'The message is already on its way. The conversation shows what became of it.';
const TOO_MANY = 'This device has scheduled too many messages. Cancel one, or wait until one was sent.';

/** Returns a message for an invalid body. */
function parseWanted(text: string, now: number): WantedSend | string {
  const read = readJson(text, BODY_BYTES);
  if (!read.ok || !isObject(read.value))
    return 'Send a JSON object with "session_id", "content" and "trigger_kind".';
  const { session_id, content, trigger_kind, deliver_at } = read.value;
  if (typeof session_id !== 'string' || session_id === '') return '"session_id" must be the id of a session.';
  if (typeof content !== 'string' || content.trim() === '' || content.length > MAX_SCHEDULED_CHARS)
    return `"content" must be a text of 1 to ${MAX_SCHEDULED_CHARS} characters.`;
  if (trigger_kind === 'idle') return { session_id, content, trigger_kind };
  if (trigger_kind !== 'at') return '"trigger_kind" must be "at" or "idle".';
  const at = typeof deliver_at === 'string' && TIME.test(deliver_at) ? Date.parse(deliver_at) : Number.NaN;
  if (!(at > now && at <= now + LONGEST_MS))
    return '"deliver_at" must be an ISO time with its zone in the future, at most 366 days from now.';
  return { session_id, content, trigger_kind, deliver_at: new Date(at).toISOString() };
}
