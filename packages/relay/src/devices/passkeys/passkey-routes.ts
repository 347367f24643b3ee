import { PASSKEYS } from '@drawbridge/protocol/http';
import type { Context, Hono } from 'hono';
import type { RelayEnv } from '../../server/relay-env.ts';
import { serveOpenRoutes } from '../../server/serve-routes.ts';
import { type AuthMiddleware, rateLimited } from '../auth-middleware.ts';
import { isOwner, parseLabel } from '../device.ts';
import type { Devices } from '../devices.ts';
import { addressKey, type FailureLimiter } from '../failure-limiter.ts';
import { bodyText, parseBody, textOf } from '../request-body.ts';
import { parseAssertion, parseAttestation } from './credential-json.ts';
import { siteOf } from './site.ts';

interface PasskeyOptions {
  readonly devices: Pick<Devices, 'passkeys' | 'isNew'>;
  readonly auth: AuthMiddleware;
  readonly limiter: FailureLimiter;
  readonly addressOf: (c: Context) => string;
  /** Browsers reach this relay over the TLS of a proxy in front. */
  readonly trustedProxy: boolean;
}

const NOTE =
  'A passkey stays when the device that added it is revoked: remove it here. The devices that signed in with it stay ' +
  'when it is removed: revoke them, DELETE /api/devices/ID.';

export function passkeyRoutes(options: PasskeyOptions): Hono<RelayEnv> {
  const { devices, auth, limiter, addressOf, trustedProxy } = options;
  const { passkeys } = devices;
  const site = (context: Context) => siteOf(context.req.url, trustedProxy);
  return serveOpenRoutes(PASSKEYS, {
    async 'GET /api/passkeys'({ context }) {
      const listed = { passkeys: await passkeys.list(await auth.caller(context)), note: NOTE };
      return listed;
    },
    async 'POST /api/passkeys/options'({ context }) {
      const text = await bodyText(context.req);
      const by = await auth.caller(context);
      const isFirst = !(await passkeys.areThere()) && (await devices.isNew(by.device_id));
      const at = site(context);
      const wanted = { act: 'add_passkey', roles: [], label: at.host } as const;
      if (isOwner(by) && !isFirst) await auth.confirm(context, by, wanted, text);
      return passkeys.offerToAdd(by, at);
    },
    async 'POST /api/passkeys'({ context }) {
      const text = await bodyText(context.req);
      const by = await auth.caller(context);
      const body = parseBody(text);
      const answer = {
        attempt: textOf(body, 'attempt'),
        credential: parseAttestation(body['credential']),
        label: parseLabel(body['label']) ?? 'Passkey',
        site: site(context),
      };
      return auth.attemptPasskey(context, () => passkeys.add(by, answer));
    },
    async 'DELETE /api/passkeys/{id}'({ context, params: { id } }) {
      const by = await auth.caller(context);
      const label = (await passkeys.list(by)).find((each) => each.id === id)?.label;
      if (label !== undefined) await auth.confirm(context, by, { act: 'remove_passkey', roles: [], label });
      await passkeys.remove(id, by);
      return undefined;
    },
    async 'POST /api/passkeys/signin/options'({ context }) {
      await bodyText(context.req);
      auth.checkTaker(context, false);
      const address = addressKey(addressOf(context));
      const keys = [`passkey sign-ins for ${address}`];
      if (limiter.areTooMany(keys)) throw rateLimited();
      limiter.add(keys);
      return passkeys.offerToSignIn(address, site(context));
    },
    async 'POST /api/passkeys/signin'({ context }) {
      const body = parseBody(await bodyText(context.req));
      auth.checkTaker(context, false);
      const answer = {
        attempt: textOf(body, 'attempt'),
        credential: parseAssertion(body['credential']),
        label: parseLabel(body['label']) ?? 'New device',
        site: site(context),
      };
      const browser = auth.browser(context, body['key']);
      const minted = await auth.attemptPasskey(context, () => passkeys.signIn(answer, browser));
      return auth.issueCredential(context, minted, false);
    },
  });
}
