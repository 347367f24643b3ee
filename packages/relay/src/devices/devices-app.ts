import { DEVICES, HTTP_ERRORS } from '@drawbridge/protocol/http';
import type { Context, ErrorHandler, Hono } from 'hono';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveOpenRoutes } from '../server/serve-routes.ts';
import type { AuthMiddleware } from './auth-middleware.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { identityOf, isOwner, parseLabel, parseRoles, parseScopes } from './device.ts';
import { DeviceError } from './device-error.ts';
import type { Devices } from './devices.ts';
import type { FailureLimiter } from './failure-limiter.ts';
import { checkInvitation } from './invitation-policy.ts';
import { pairingRoutes } from './pairing-routes.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { bodyText, parseBody } from './request-body.ts';

export interface DevicesAppOptions {
  readonly devices: Devices;
  readonly auth: AuthMiddleware;
  readonly limiter: FailureLimiter;
  /** Browsers reach this relay over the TLS of a proxy in front. */
  readonly trustedProxy: boolean;
  readonly addressOf: (c: Context) => string;
  /** Called for answers with 503: a ledger failure or a bug. */
  readonly onError: (error: unknown, context: Context) => void;
}

/** Answers refusals of the devices; any other error is a fault. */
export const deviceErrors =
  (onError: DevicesAppOptions['onError']): ErrorHandler =>
  (error, c) => {
    if (!(error instanceof DeviceError)) onError(error, c);
    const { code, message, more } = error instanceof DeviceError ? error : UNAVAILABLE;
    if (code === 'rate_limited') c.header('Retry-After', '60');
    return c.json({ error: { code, message, ...more }, message }, HTTP_ERRORS[code]);
  };

/** Devices, their pairing, the owner's passkeys, and confirmations. */
export function devicesApp(options: DevicesAppOptions): Hono<RelayEnv> {
  const { devices, auth, trustedProxy, limiter, addressOf, onError } = options;
  const app = serveOpenRoutes(DEVICES, {
    'GET /api/me': async ({ context }) => identityOf(await auth.caller(context)),
    async 'POST /api/signout'({ context }) {
      const me = await auth.caller(context);
      await devices.revoke(me.device_id, me);
      return undefined;
    },
    /** All devices for owners and for people who see everything; only their own for everybody else. */
    async 'GET /api/devices'({ context }) {
      const me = await auth.caller(context);
      const seesAll = isOwner(me) || (me.roles.includes('person') && me.scopes.length === 0);
      const all = await devices.list();
      const outside_url = isOwner(me) ? devices.outsideUrl() : undefined;
      return {
        devices: all.filter(({ device_id }) => seesAll || device_id === me.device_id),
        ...(outside_url !== undefined && { outside_url }),
      };
    },
    async 'POST /api/devices'({ context }) {
      const text = await bodyText(context.req);
      const by = await auth.caller(context);
      const body = parseBody(text);
      const roles = parseRoles(body['roles']);
      const label = parseLabel(body['label']) ?? roles.join(' and ');
      const scopes = parseScopes(body['scopes']);
      checkInvitation(by, { roles, scopes }, 'mint');
      await auth.confirm(context, by, { act: 'mint', roles, label }, text);
      const { device, token } = await devices.mint({ roles, label, scopes, by });
      return { ...identityOf(device), token };
    },
    async 'PATCH /api/devices/{device_id}'({ context, params: { device_id } }) {
      const text = await bodyText(context.req);
      const by = await auth.caller(context);
      const label = parseLabel(parseBody(text)['label']);
      if (label === undefined)
        throw new DeviceError('invalid_request', '"label" is missing: give it a name.');
      await devices.rename(device_id, label, by);
      return { device_id, label };
    },
    async 'DELETE /api/devices/{device_id}'({ context, params }) {
      await devices.revoke(params.device_id, await auth.caller(context));
      return undefined;
    },
  });
  app.route('/', pairingRoutes({ devices, auth, limiter, addressOf }));
  app.route('/', passkeyRoutes({ devices, auth, limiter, addressOf, trustedProxy }));
  app.route('/', confirmationRoutes({ devices, auth, trustedProxy }));
  app.onError(deviceErrors(onError));
  return app;
}

const UNAVAILABLE = new DeviceError(
  'unavailable',
  'The relay could not do this, and nothing was changed. Try again; its log says why.',
);
