import { Hono } from 'hono';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import { newSecret, type Random } from '../devices/secret.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isOwner } from '../server/guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../server/relay-env.ts';
import { NOTICE_KINDS } from './notice.ts';
import type { Webhook } from './notice-file.ts';
import type { Outbound } from './outbound.ts';
import { fieldsOf, noStore, testNotice, withinTime } from './push-routes.ts';
import { parseKinds } from './quiet-hours.ts';
import type { Webhooks } from './webhooks.ts';

export interface WebhookRoutesOptions {
  readonly credentials: Credentials;
  readonly auth: Pick<AuthMiddleware, 'confirm'>;
  readonly ledger: Pick<Ledger, 'commit'>;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly random: Random;
  readonly webhooks: Webhooks;
  readonly outbound: Pick<Outbound, 'problemOf'>;
}

const BODY_BYTES = 16_384;
const MOST = 20;
const SECRET_CHARS = { least: 16, most: 200 };

/** `/api/webhooks`: a secret made by the relay is returned once, to the owner who adds the webhook. */
export function webhookRoutes(options: WebhookRoutesOptions): Hono<RelayEnv> {
  const { credentials, auth, ledger, clock, id, random, webhooks, outbound } = options;
  const routes = new Hono<RelayEnv>();
  routes.use('*', signedIn(credentials, isOwner), bodyOf(BODY_BYTES), noStore);

  const audit = async ({ device_id }: Identity, action: string, { webhook_id, url }: Webhook) => {
    // Logs only the host: the rest of such an address is often a secret.
    const entry = { at: clock.now(), device_id, action, subject: webhook_id };
    await ledger.commit([{ do: 'audit', entry: { ...entry, detail: { host: new URL(url).host } } }]);
  };

  return routes
    .get('/', (context) => context.json({ webhooks: webhooks.list().map(shown) }))
    .post('/', async (context) => {
      const text = await context.req.text();
      const { url, secret, kinds: wanted } = await fieldsOf(context.req);
      const problem = typeof url === 'string' ? outbound.problemOf(url) : 'Give the address to post to.';
      if (typeof url !== 'string' || problem !== undefined) {
        return refuse(context, 'invalid_request', `"url": ${problem}`);
      }
      const kinds = parseKinds(wanted);
      if (kinds === undefined || kinds.length === 0) {
        return refuse(context, 'invalid_request', `"kinds" is a list of: ${NOTICE_KINDS.join(', ')}.`);
      }
      if (secret !== undefined && !isSecret(secret)) {
        const { least, most } = SECRET_CHARS;
        return refuse(
          context,
          'invalid_request',
          `"secret" has ${least} to ${most} characters, or is left out.`,
        );
      }
      if (webhooks.list().length >= MOST) {
        return refuse(context, 'quota_reached', `There are ${MOST} webhooks. Delete one first.`);
      }
      const by = context.get('identity');
      const place = { act: 'add_webhook', roles: [], label: new URL(url).origin } as const;
      await auth.confirm(context, by, place, text);
      const made = secret ?? newSecret(random);
      const webhook: Webhook = {
        ...{ webhook_id: id('hook'), url, secret: made, kinds },
        ...{ created_at: clock.now(), by: by.device_id },
      };
      await webhooks.add(webhook);
      await audit(by, 'webhook_added', webhook);
      return context.json({ webhook: shown(webhook), ...(secret === undefined && { secret: made }) }, 201);
    })
    .delete('/:id', async (context) => {
      const removed = await webhooks.remove(context.req.param('id'));
      if (removed === undefined) return refuse(context, 'not_found', NO_SUCH);
      await audit(context.get('identity'), 'webhook_removed', removed);
      return context.body(null, 204);
    })
    .get('/:id/log', (context) => {
      const notices = webhooks.rows(context.req.param('id'));
      return notices === undefined ? refuse(context, 'not_found', NO_SUCH) : context.json({ notices });
    })
    .post('/:id/test', async (context) => {
      const sent = webhooks.test(context.req.param('id'), testNotice(id('notice'), clock.now()));
      if (sent === undefined) return refuse(context, 'not_found', NO_SUCH);
      const notice = await withinTime(sent, clock);
      if (notice !== undefined) return context.json({ notice });
      return refuse(
        context,
        'unavailable',
        'The webhook did not accept it in time. GET /api/webhooks/:id/log says more.',
      );
    });
}

const shown = ({ secret: _, ...rest }: Webhook) => rest;

const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= SECRET_CHARS.least && value.length <= SECRET_CHARS.most;

const NO_SUCH = 'There is no such webhook. GET /api/webhooks lists them.';
