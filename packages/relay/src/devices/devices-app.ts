import { HTTP_ERRORS } from '@drawbridge/protocol/http';
import { type Context, type ErrorHandler, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
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

const OWN_PATHS = [
  ...['/api/pair', '/api/pair/*', '/api/devices', '/api/devices/*', '/api/passkeys', '/api/passkeys/*'],
  ...['/api/confirmations', '/api/confirmations/*', '/api/me', '/api/signout'],
];
const BODY_BYTES = 65_536;

/** Answers refusals of the devices; any other error is a fault. */
export const deviceErrors =
  (onError: DevicesAppOptions['onError']): ErrorHandler =>
  (error, c) => {
    if (!(error instanceof DeviceError)) onError(error, c);
    const { code, message, more } = error instanceof DeviceError ? error : UNAVAILABLE;
    if (code === 'rate_limited') c.header('Retry-After', '60');
    return c.json({ error: { code, message, ...more }, message }, HTTP_ERRORS[code]);
  };

/**
 * Serves `/api/pair…`, `/api/devices…`, `/api/passkeys…`, `/api/confirmations…`, `/api/me`, `/api/signout`,
 * and no other path.
 */
export function devicesApp(options: DevicesAppOptions): Hono {
  const { devices, auth, trustedProxy, limiter, addressOf, onError } = options;
  const app = new Hono();
  app.onError(deviceErrors(onError));

  const limit = bodyLimit({ maxSize: BODY_BYTES, onError: () => Promise.reject(TOO_LONG) });
  for (const path of OWN_PATHS) {
    app.use(path, limit, async (c, next) => {
      c.header('Cache-Control', 'no-store');
      await next();
    });
  }

  app.route('/api/pair', pairingRoutes({ devices, auth, limiter, addressOf }));
  app.route('/api/passkeys', passkeyRoutes({ devices, auth, limiter, addressOf, trustedProxy }));

  app.route('/api/confirmations', confirmationRoutes({ devices, auth, trustedProxy }));

  app.get('/api/me', async (c) => c.json(identityOf(await auth.caller(c))));

  app.post('/api/signout', async (c) => {
    const me = await auth.caller(c);
    await devices.revoke(me.device_id, me);
    return c.body(null, 204);
  });

  /** All devices for owners and for people who see everything; only their own for everybody else. */
  app.get('/api/devices', async (c) => {
    const me = await auth.caller(c);
    const seesAll = isOwner(me) || (me.roles.includes('person') && me.scopes.length === 0);
    const all = await devices.list();
    return c.json({ devices: all.filter(({ device_id }) => seesAll || device_id === me.device_id) });
  });

  app.post('/api/devices', async (c) => {
    const text = await bodyText(c.req);
    const by = await auth.caller(c);
    const body = parseBody(text);
    const roles = parseRoles(body['roles']);
    const label = parseLabel(body['label']) ?? roles.join(' and ');
    const scopes = parseScopes(body['scopes']);
    checkInvitation(by, { roles, scopes }, 'mint');
    await auth.confirm(c, by, { act: 'mint', roles, label }, text);
    const { device, token } = await devices.mint({ roles, label, scopes, by });
    return c.json({ ...identityOf(device), token }, 201);
  });

  app.patch('/api/devices/:id', async (c) => {
    const text = await bodyText(c.req);
    const by = await auth.caller(c);
    const label = parseLabel(parseBody(text)['label']);
    if (label === undefined) throw new DeviceError('invalid_request', '"label" is missing: give it a name.');
    await devices.rename(c.req.param('id'), label, by);
    return c.json({ device_id: c.req.param('id'), label });
  });

  app.delete('/api/devices/:id', async (c) => {
    const by = await auth.caller(c);
    await devices.revoke(c.req.param('id'), by);
    return c.body(null, 204);
  });

  return app;
}

const UNAVAILABLE = new DeviceError(
  'unavailable',
  'The relay could not do this, and nothing was changed. Try again; its log says why.',
);

const TOO_LONG = new DeviceError(
  'invalid_request',
  `The body is longer than ${BODY_BYTES} bytes: send less.`,
);
