import { type Context, Hono } from 'hono';
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

export function passkeyRoutes({ devices, auth, limiter, addressOf, trustedProxy }: PasskeyOptions): Hono {
  const app = new Hono();
  const { passkeys } = devices;
  const site = (c: Context) => siteOf(c.req.url, trustedProxy);

  app.get('/', async (c) => c.json({ passkeys: await passkeys.list(await auth.caller(c)), note: NOTE }));

  app.post('/options', async (c) => {
    const text = await bodyText(c.req);
    const by = await auth.caller(c);
    const isFirst = !(await passkeys.areThere()) && (await devices.isNew(by.device_id));
    const at = site(c);
    const wanted = { act: 'add_passkey', roles: [], label: at.host } as const;
    if (isOwner(by) && !isFirst) await auth.confirm(c, by, wanted, text);
    return c.json(await passkeys.offerToAdd(by, at), 201);
  });

  app.post('/', async (c) => {
    const text = await bodyText(c.req);
    const by = await auth.caller(c);
    const body = parseBody(text);
    const answer = {
      attempt: textOf(body, 'attempt'),
      credential: parseAttestation(body['credential']),
      label: parseLabel(body['label']) ?? 'Passkey',
      site: site(c),
    };
    return c.json(await auth.attemptPasskey(c, () => passkeys.add(by, answer)), 201);
  });

  app.delete('/:id', async (c) => {
    const by = await auth.caller(c);
    const id = c.req.param('id');
    const label = (await passkeys.list(by)).find((each) => each.id === id)?.label;
    if (label !== undefined) await auth.confirm(c, by, { act: 'remove_passkey', roles: [], label });
    await passkeys.remove(id, by);
    return c.body(null, 204);
  });

  app.post('/signin/options', async (c) => {
    await bodyText(c.req);
    auth.checkTaker(c, false);
    const address = addressKey(addressOf(c));
    const keys = [`passkey sign-ins for ${address}`];
    if (limiter.areTooMany(keys)) throw rateLimited();
    limiter.add(keys);
    return c.json(await passkeys.offerToSignIn(address, site(c)), 201);
  });

  app.post('/signin', async (c) => {
    const body = parseBody(await bodyText(c.req));
    auth.checkTaker(c, false);
    const answer = {
      attempt: textOf(body, 'attempt'),
      credential: parseAssertion(body['credential']),
      label: parseLabel(body['label']) ?? 'New device',
      site: site(c),
    };
    const browser = auth.browser(c, body['key']);
    return auth.issueCredential(
      c,
      await auth.attemptPasskey(c, () => passkeys.signIn(answer, browser)),
      false,
    );
  });

  return app;
}
