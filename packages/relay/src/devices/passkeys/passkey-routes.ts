import { type Context, Hono } from 'hono';
import { parseLabel } from '../device.ts';
import { DeviceError } from '../device-error.ts';
import type { Devices } from '../devices.ts';
import { type Door, rateLimited } from '../door.ts';
import { addressKey, type FailureLimiter } from '../failure-limiter.ts';
import { bodyText, parseBody, textOf } from '../request-body.ts';
import { parseAssertion, parseAttestation } from './credential-json.ts';
import { siteOf } from './site.ts';

interface PasskeyOptions {
  readonly devices: Pick<Devices, 'passkeys'>;
  readonly door: Door;
  readonly limiter: FailureLimiter;
  readonly addressOf: (c: Context) => string;
  /** Whether browsers reach this relay by TLS. */
  readonly secure: boolean;
}

const NOTE =
  'A passkey stays when the device that added it is revoked: remove it here. The devices that signed in with it stay ' +
  'when it is removed: revoke them, DELETE /api/devices/ID.';

export function passkeyRoutes({ devices, door, limiter, addressOf, secure }: PasskeyOptions): Hono {
  const app = new Hono();
  const { passkeys } = devices;
  const site = (c: Context) => siteOf(c.req.url, secure);

  /** Counts what is refused, also what is found out only after a wait. */
  async function attempt<Answer>(c: Context, run: () => Promise<Answer>): Promise<Answer> {
    const keys = [`passkeys from ${addressKey(addressOf(c))}`];
    if (limiter.areTooMany(keys)) throw rateLimited();
    try {
      return await run();
    } catch (error) {
      if (error instanceof DeviceError && error.code === 'passkey_refused') limiter.add(keys);
      throw error;
    }
  }

  app.get('/', async (c) => c.json({ passkeys: await passkeys.list(await door.caller(c)), note: NOTE }));

  app.post('/options', async (c) => {
    await bodyText(c.req);
    return c.json(await passkeys.offerToAdd(await door.caller(c), site(c)), 201);
  });

  app.post('/', async (c) => {
    const text = await bodyText(c.req);
    const by = await door.caller(c);
    const body = parseBody(text);
    const answer = {
      attempt: textOf(body, 'attempt'),
      credential: parseAttestation(body['credential']),
      label: parseLabel(body['label']) ?? 'Passkey',
      site: site(c),
    };
    return c.json(await attempt(c, () => passkeys.add(by, answer)), 201);
  });

  app.delete('/:id', async (c) => {
    await passkeys.remove(c.req.param('id'), await door.caller(c));
    return c.body(null, 204);
  });

  app.post('/signin/options', async (c) => {
    await bodyText(c.req);
    door.checkTaker(c, false);
    const address = addressKey(addressOf(c));
    const keys = [`passkey sign-ins for ${address}`];
    if (limiter.areTooMany(keys)) throw rateLimited();
    limiter.add(keys);
    return c.json(await passkeys.offerToSignIn(address, site(c)), 201);
  });

  app.post('/signin', async (c) => {
    const body = parseBody(await bodyText(c.req));
    door.checkTaker(c, false);
    const answer = {
      attempt: textOf(body, 'attempt'),
      credential: parseAssertion(body['credential']),
      label: parseLabel(body['label']) ?? 'New device',
      site: site(c),
    };
    return door.handOver(c, await attempt(c, () => passkeys.signIn(answer)), false);
  });

  return app;
}
