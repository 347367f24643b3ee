import { type Context, Hono } from 'hono';
import { type AuthMiddleware, rateLimited } from './auth-middleware.ts';
import { parseBrowserKey } from './browser-key.ts';
import { parseLabel, parseRoles, parseScopes } from './device.ts';
import { DeviceError } from './device-error.ts';
import type { Devices } from './devices.ts';
import { addressKey, type FailureLimiter } from './failure-limiter.ts';
import { checkInvitation } from './invitation-policy.ts';
import { type Body, bodyText, parseBody, textOf } from './request-body.ts';
import { hashOf } from './secret.ts';

interface PairingOptions {
  readonly devices: Devices;
  readonly auth: AuthMiddleware;
  readonly limiter: FailureLimiter;
  readonly addressOf: (c: Context) => string;
}

const NEW_DEVICE = 'New device';
const LONGEST_WAIT_S = 25;

export function pairingRoutes({ devices, auth, limiter, addressOf }: PairingOptions): Hono {
  const app = new Hono();
  const { invitations, codes } = devices;
  const from = (c: Context) => `pairing from ${addressKey(addressOf(c))}`;

  app.post('/', async (c) => {
    const body = parseBody(await bodyText(c.req));
    const secret = textOf(body, 'secret');
    const asToken = isAsToken(body);
    auth.checkTaker(c, asToken);
    const label = parseLabel(body['label']);
    const browser = asToken ? undefined : auth.browser(c, body['key']);
    const keys = [from(c), `invitation ${hashOf(secret)}`];
    const minted = await auth.attempt(keys, () => invitations.claim(secret, label, browser));
    return auth.issueCredential(c, minted, asToken);
  });

  app.post('/invite', async (c) => {
    const text = await bodyText(c.req);
    const by = await auth.caller(c);
    const body = parseBody(text);
    const order = {
      roles: parseRoles(body['roles']),
      scopes: parseScopes(body['scopes']),
      label: parseLabel(body['label']) ?? NEW_DEVICE,
      by,
    };
    checkInvitation(by, order, 'mint');
    await auth.confirm(c, by, { act: 'invite', roles: order.roles, label: order.label }, text);
    return c.json({ ...(await invitations.create(order)), outside_url: devices.outsideUrl() }, 201);
  });

  app.post('/code', async (c) => {
    const body = parseBody(await bodyText(c.req));
    const label = parseLabel(body['label']) ?? NEW_DEVICE;
    const key = body['key'] === undefined ? undefined : parseBrowserKey(body['key']);
    const keys = [`codes for ${addressKey(addressOf(c))}`];
    if (limiter.areTooMany(keys)) throw rateLimited();
    limiter.add(keys);
    return c.json(codes.open(label, addressKey(addressOf(c)), key), 201);
  });

  app.post('/approve', async (c) => {
    const text = await bodyText(c.req);
    const by = await auth.caller(c);
    const body = parseBody(text);
    const approval = {
      code: sixDigits(textOf(body, 'code')),
      roles: parseRoles(body['roles'] ?? ['person']),
      scopes: body['scopes'] === undefined ? by.scopes : parseScopes(body['scopes']),
      by,
    };
    // Counted apart from strangers' failures, which would otherwise block an owner on the same machine.
    const keys = [`approvals from ${addressKey(addressOf(c))}`, `approval by ${by.device_id}`];
    const { label } = auth.attempt(keys, () => codes.check(approval));
    await auth.confirm(c, by, { act: 'approve', roles: approval.roles, label }, text);
    auth.attempt(keys, () => codes.approve(approval));
    return c.json({ label, roles: approval.roles });
  });

  /** `?wait=SECONDS` long-polls; `?as=token` asks for a token instead of a browser's name. */
  app.get('/code/:id', async (c) => {
    const id = c.req.param('id');
    const secret = /^Pairing (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    const asToken = c.req.query('as') === 'token';
    auth.checkTaker(c, asToken);
    const keys = [from(c), `code ${id}`];
    const as = asToken ? 'token' : { former: auth.formerOf(c) };
    const collect = () => auth.attempt(keys, () => codes.collect(id, secret, as));
    let minted = await collect();
    const wait = Math.min(Number(c.req.query('wait') ?? 0), LONGEST_WAIT_S);
    if (minted === undefined && wait > 0) {
      await codes.change(id, wait * 1_000);
      minted = await collect();
    }
    return minted === undefined
      ? c.json({ state: 'waiting' }, 202)
      : auth.issueCredential(c, minted, asToken);
  });

  return app;
}

function isAsToken({ as = 'browser' }: Body): boolean {
  if (as === 'token' || as === 'browser') return as === 'token';
  throw new DeviceError('invalid_request', '"as" is "browser" or "token".');
}

/** People read and type the digits in two groups. */
function sixDigits(typed: string): string {
  const digits = typed.replaceAll(/[\s-]/g, '');
  if (/^\d{6}$/.test(digits)) return digits;
  throw new DeviceError('invalid_request', 'A code has six digits: type what the new device shows.');
}
