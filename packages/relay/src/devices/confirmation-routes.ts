import { type Context, Hono } from 'hono';
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

export function confirmationRoutes({ devices, auth, trustedProxy }: ConfirmationOptions): Hono {
  const app = new Hono();
  const { confirmations, passkeys } = devices;
  const site = (c: Context) => siteOf(c.req.url, trustedProxy);

  app.get('/', async (c) => {
    const me = await auth.caller(c);
    if (!isOwner(me)) throw new DeviceError('forbidden', 'Only owners confirm: do this on such a device.');
    return c.json({ confirmations: confirmations.list() });
  });

  /** `?wait=SECONDS` long-polls until the confirmation is answered. */
  app.get('/:id', async (c) => {
    const me = await auth.caller(c);
    const id = c.req.param('id');
    const wait = Math.min(Number(c.req.query('wait') ?? 0), LONGEST_WAIT_S);
    if (confirmations.stateOf(id, me) === 'waiting' && wait > 0) await confirmations.change(id, wait * 1_000);
    return c.json({ state: confirmations.stateOf(id, me) });
  });

  app.post('/:id', async (c) => {
    const text = await bodyText(c.req);
    const me = await auth.caller(c);
    const verdict = textOf(parseBody(text), 'verdict');
    if (verdict !== 'confirm' && verdict !== 'refuse') {
      throw new DeviceError('invalid_request', '"verdict" is "confirm" or "refuse".');
    }
    await confirmations.answer(c.req.param('id'), me, verdict);
    return c.body(null, 204);
  });

  app.post('/:id/passkey/options', async (c) => {
    await bodyText(c.req);
    const me = await auth.caller(c);
    const id = c.req.param('id');
    confirmations.stateOf(id, me);
    return c.json(await passkeys.offerToConfirm(id, site(c)), 201);
  });

  app.post('/:id/passkey', async (c) => {
    const text = await bodyText(c.req);
    const me = await auth.caller(c);
    const id = c.req.param('id');
    const body = parseBody(text);
    confirmations.stateOf(id, me);
    const answer = {
      attempt: textOf(body, 'attempt'),
      credential: parseAssertion(body['credential']),
      site: site(c),
    };
    await auth.attemptPasskey(c, () => passkeys.confirm(id, me, answer));
    await confirmations.confirmByPasskey(id, me);
    return c.body(null, 204);
  });

  return app;
}
