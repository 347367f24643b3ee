import { CONFIRMATIONS } from '@drawbridge/protocol/http';
import type { Context, Hono } from 'hono';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveOpenRoutes } from '../server/serve-routes.ts';
import type { AuthMiddleware } from './auth-middleware.ts';
import { isOwner } from './device.ts';
import { DeviceError } from './device-error.ts';
import type { Devices } from './devices.ts';
import { parseAssertion } from './passkeys/credential-json.ts';
import { siteOf } from './passkeys/site.ts';
import { bodyText, parseBody, textOf } from './request-body.ts';

interface ConfirmationOptions {
  readonly devices: Pick<Devices, 'confirmations' | 'passkeys'>;
  readonly auth: AuthMiddleware;
  /** Browsers reach this relay over the TLS of a proxy in front. */
  readonly trustedProxy: boolean;
}

const LONGEST_WAIT_S = 25;

export function confirmationRoutes({ devices, auth, trustedProxy }: ConfirmationOptions): Hono<RelayEnv> {
  const { confirmations, passkeys } = devices;
  const site = (context: Context) => siteOf(context.req.url, trustedProxy);
  return serveOpenRoutes(CONFIRMATIONS, {
    async 'GET /api/confirmations'({ context }) {
      const me = await auth.caller(context);
      if (!isOwner(me)) throw new DeviceError('forbidden', 'Only owners confirm: do this on such a device.');
      return { confirmations: confirmations.list() };
    },
    /** `?wait=SECONDS` long-polls until the confirmation is answered. */
    async 'GET /api/confirmations/{id}'({ context, params: { id }, query }) {
      const me = await auth.caller(context);
      const wait = Math.min(Number(query.wait ?? 0), LONGEST_WAIT_S);
      if (confirmations.stateOf(id, me) === 'waiting' && wait > 0)
        await confirmations.change(id, wait * 1_000);
      return { state: confirmations.stateOf(id, me) };
    },
    async 'POST /api/confirmations/{id}'({ context, params: { id } }) {
      const text = await bodyText(context.req);
      const me = await auth.caller(context);
      const verdict = textOf(parseBody(text), 'verdict');
      if (verdict !== 'confirm' && verdict !== 'refuse') {
        throw new DeviceError('invalid_request', '"verdict" is "confirm" or "refuse".');
      }
      await confirmations.answer(id, me, verdict);
      return undefined;
    },
    async 'POST /api/confirmations/{id}/passkey/options'({ context, params: { id } }) {
      await bodyText(context.req);
      const me = await auth.caller(context);
      confirmations.stateOf(id, me);
      return passkeys.offerToConfirm(id, site(context));
    },
    async 'POST /api/confirmations/{id}/passkey'({ context, params: { id } }) {
      const text = await bodyText(context.req);
      const me = await auth.caller(context);
      const body = parseBody(text);
      confirmations.stateOf(id, me);
      const answer = {
        attempt: textOf(body, 'attempt'),
        credential: parseAssertion(body['credential']),
        site: site(context),
      };
      await auth.attemptPasskey(context, () => passkeys.confirm(id, me, answer));
      await confirmations.confirmByPasskey(id, me);
      return undefined;
    },
  });
}
