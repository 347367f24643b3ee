import { PAIRING } from '@drawbridge/protocol/http';
import type { Context, Hono } from 'hono';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveOpenRoutes } from '../server/serve-routes.ts';
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

export function pairingRoutes({ devices, auth, limiter, addressOf }: PairingOptions): Hono<RelayEnv> {
  const { invitations, codes } = devices;
  const from = (context: Context) => `pairing from ${addressKey(addressOf(context))}`;
  return serveOpenRoutes(PAIRING, {
    async 'POST /api/pair'({ context }) {
      const body = parseBody(await bodyText(context.req));
      const secret = textOf(body, 'secret');
      const asToken = isAsToken(body);
      auth.checkTaker(context, asToken);
      const label = parseLabel(body['label']);
      const browser = asToken ? undefined : auth.browser(context, body['key']);
      const keys = [from(context), `invitation ${hashOf(secret)}`];
      const minted = await auth.attempt(keys, () => invitations.claim(secret, label, browser));
      return auth.issueCredential(context, minted, asToken);
    },
    async 'POST /api/pair/invite'({ context }) {
      const text = await bodyText(context.req);
      const by = await auth.caller(context);
      const body = parseBody(text);
      const order = {
        roles: parseRoles(body['roles']),
        scopes: parseScopes(body['scopes']),
        label: parseLabel(body['label']) ?? NEW_DEVICE,
        by,
      };
      checkInvitation(by, order, 'mint');
      await auth.confirm(context, by, { act: 'invite', roles: order.roles, label: order.label }, text);
      const outside_url = devices.outsideUrl();
      return { ...(await invitations.create(order)), ...(outside_url !== undefined && { outside_url }) };
    },
    async 'POST /api/pair/code'({ context }) {
      const body = parseBody(await bodyText(context.req));
      const label = parseLabel(body['label']) ?? NEW_DEVICE;
      const key = body['key'] === undefined ? undefined : parseBrowserKey(body['key']);
      const address = addressKey(addressOf(context));
      const keys = [`codes for ${address}`];
      if (limiter.areTooMany(keys)) throw rateLimited();
      limiter.add(keys);
      return codes.open(label, address, key);
    },
    async 'POST /api/pair/approve'({ context }) {
      const text = await bodyText(context.req);
      const by = await auth.caller(context);
      const body = parseBody(text);
      const approval = {
        code: sixDigits(textOf(body, 'code')),
        roles: parseRoles(body['roles'] ?? ['person']),
        scopes: body['scopes'] === undefined ? by.scopes : parseScopes(body['scopes']),
        by,
      };
      // Counted apart from strangers' failures, which would otherwise block an owner on the same machine.
      const keys = [`approvals from ${addressKey(addressOf(context))}`, `approval by ${by.device_id}`];
      const { label } = auth.attempt(keys, () => codes.check(approval));
      await auth.confirm(context, by, { act: 'approve', roles: approval.roles, label }, text);
      auth.attempt(keys, () => codes.approve(approval));
      return { label, roles: approval.roles };
    },
    /** `?wait=SECONDS` long-polls; `?as=token` asks for a token instead of a browser's name. */
    async 'GET /api/pair/code/{id}'({ context, params: { id }, query }) {
      const secret = /^Pairing (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
      const asToken = query.as === 'token';
      auth.checkTaker(context, asToken);
      const keys = [from(context), `code ${id}`];
      const as = asToken ? 'token' : { former: auth.formerOf(context) };
      const collect = () => auth.attempt(keys, () => codes.collect(id, secret, as));
      let minted = await collect();
      const wait = Math.min(Number(query.wait ?? 0), LONGEST_WAIT_S);
      if (minted === undefined && wait > 0) {
        await codes.change(id, wait * 1_000);
        minted = await collect();
      }
      return minted === undefined
        ? context.json({ state: 'waiting' }, 202)
        : auth.issueCredential(context, minted, asToken);
    },
  });
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
