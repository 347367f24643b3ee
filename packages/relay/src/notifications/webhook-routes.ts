import type { Ledger } from '@drawbridge/ledger';
import { type AuditAction, WEBHOOKS } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import { newSecret, type Random } from '../devices/secret.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveRoutes } from '../server/serve-routes.ts';
import { NOTICE_KINDS } from './notice.ts';
import type { Webhook } from './notice-file.ts';
import type { Outbound } from './outbound.ts';
import { fieldsOf, testNotice, withinTime } from './push-routes.ts';
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

const MOST = 20;
const SECRET_CHARS = { least: 16, most: 200 };

/** A secret made by the relay is returned once, to the owner who adds the webhook. */
export function webhookRoutes(options: WebhookRoutesOptions): Hono<RelayEnv> {
  const { credentials, auth, ledger, clock, id, random, webhooks, outbound } = options;
  const audit = async ({ device_id }: Identity, action: AuditAction, { webhook_id, url }: Webhook) => {
    // Logs only the host: the rest of such an address is often a secret.
    const entry = { at: clock.now(), device_id, action, subject: webhook_id };
    await ledger.commit([{ do: 'audit', entry: { ...entry, detail: { host: new URL(url).host } } }]);
  };

  return serveRoutes(WEBHOOKS, credentials, {
    'GET /api/webhooks': () => ({ webhooks: webhooks.list().map(shown) }),
    async 'POST /api/webhooks'({ context, identity: by, refuse }) {
      const text = await context.req.text();
      const { url, secret, kinds: wanted } = await fieldsOf(context.req);
      const problem = typeof url === 'string' ? outbound.problemOf(url) : 'Give the address to post to.';
      if (typeof url !== 'string' || problem !== undefined) {
        return refuse('invalid_request', `"url": ${problem}`);
      }
      const kinds = parseKinds(wanted);
      if (kinds === undefined || kinds.length === 0) {
        return refuse('invalid_request', `"kinds" is a list of: ${NOTICE_KINDS.join(', ')}.`);
      }
      if (secret !== undefined && !isSecret(secret)) {
        const { least, most } = SECRET_CHARS;
        return refuse('invalid_request', `"secret" has ${least} to ${most} characters, or is left out.`);
      }
      if (webhooks.list().length >= MOST) {
        return refuse('quota_reached', `There are ${MOST} webhooks. Delete one first.`);
      }
      const place = { act: 'add_webhook', roles: [], label: new URL(url).origin } as const;
      await auth.confirm(context, by, place, text);
      const made = secret ?? newSecret(random);
      const webhook: Webhook = {
        ...{ webhook_id: id('hook'), url, secret: made, kinds },
        ...{ created_at: clock.now(), by: by.device_id },
      };
      await webhooks.add(webhook);
      await audit(by, 'webhook_added', webhook);
      return { webhook: shown(webhook), ...(secret === undefined && { secret: made }) };
    },
    async 'DELETE /api/webhooks/{id}'({ identity, params, refuse }) {
      const removed = await webhooks.remove(params.id);
      if (removed === undefined) return refuse('not_found', NO_SUCH);
      await audit(identity, 'webhook_removed', removed);
      return undefined;
    },
    'GET /api/webhooks/{id}/log'({ params, refuse }) {
      const notices = webhooks.rows(params.id);
      return notices === undefined ? refuse('not_found', NO_SUCH) : { notices };
    },
    async 'POST /api/webhooks/{id}/test'({ params, refuse }) {
      const sent = webhooks.test(params.id, testNotice(id('notice'), clock.now()));
      if (sent === undefined) return refuse('not_found', NO_SUCH);
      const notice = await withinTime(sent, clock);
      if (notice !== undefined) return { notice };
      return refuse(
        'unavailable',
        'The webhook did not accept it in time. GET /api/webhooks/:id/log says more.',
      );
    },
  });
}

const shown = ({ secret: _, ...rest }: Webhook) => rest;

const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= SECRET_CHARS.least && value.length <= SECRET_CHARS.most;

const NO_SUCH = 'There is no such webhook. GET /api/webhooks lists them.';
