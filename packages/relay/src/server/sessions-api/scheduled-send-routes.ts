import { isObject, readJson } from '@drawbridge/protocol/manifest';
import { Hono } from 'hono';
import type { RelayCore } from '../../core/ports.ts';
import { MAX_SCHEDULED_CHARS, type WantedSend } from '../../core/scheduled-sends.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Credentials } from '../guard/credentials.ts';
import { isPerson } from '../guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../relay-env.ts';
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

/** `/api/scheduled-sends`: sends that the relay accepts later (CHT-337 to CHT-341). */
export function scheduledSendRoutes({
  core,
  ledger,
  clock,
  credentials,
}: ScheduledSendOptions): Hono<RelayEnv> {
  const { scheduledSends } = core;
  const forPeople = signedIn(credentials, isPerson);
  return new Hono<RelayEnv>()
    .use(async (context, next) => {
      context.header('cache-control', 'no-store');
      await next();
    })
    .get('/', forPeople, (context) => {
      const { device_id } = context.get('identity');
      return context.json({
        scheduled_sends: scheduledSends.list(device_id, context.req.query('session_id')),
      });
    })
    .post('/', forPeople, bodyOf(BODY_BYTES), async (context) => {
      const identity = context.get('identity');
      const wanted = parseWanted(await context.req.text(), clock.now());
      if (typeof wanted === 'string') return refuse(context, 'invalid_request', wanted);
      if ((await seenSession(ledger, identity, wanted.session_id)) === undefined)
        return refuse(context, 'not_found', NO_SUCH_SESSION);
      const scheduled = await scheduledSends.schedule(identity, wanted);
      if (scheduled === 'session_unknown') return refuse(context, 'not_found', NO_SUCH_SESSION);
      if (scheduled === 'too_many') return refuse(context, 'rate_limited', TOO_MANY);
      return context.json({ scheduled_send: scheduled }, 201);
    })
    .delete('/:id', forPeople, async (context) => {
      const { device_id } = context.get('identity');
      const cancelled = await scheduledSends.cancel(device_id, context.req.param('id'));
      if (cancelled === undefined) return refuse(context, 'not_found', NO_SUCH_SEND);
      if (cancelled === 'dispatching') return refuse(context, 'already_sent', ALREADY_SENT);
      return context.json({ scheduled_send: cancelled });
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
