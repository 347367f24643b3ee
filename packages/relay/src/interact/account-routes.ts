import type { Ledger } from '@drawbridge/ledger';
import { ACCOUNTS, type Route } from '@drawbridge/protocol/http';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import { parseLabel } from '../devices/device.ts';
import { DeviceError } from '../devices/device-error.ts';
import type { Devices } from '../devices/devices.ts';
import { addressKey } from '../devices/failure-limiter.ts';
import type { InvitedAccess } from '../devices/invitation-policy.ts';
import { bodyText, parseBody, textOf } from '../devices/request-body.ts';
import { hashOf } from '../devices/secret.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveOwnRoutes } from '../server/serve-routes.ts';
import { accountClientWrite } from './account-client.ts';
import { rootDomainOf } from './domain.ts';
import { signedInToInteract } from './interact-refusal.ts';

export interface AccountRoutesOptions {
  readonly devices: Pick<Devices, 'invitations' | 'revoke'>;
  readonly auth: Pick<AuthMiddleware, 'attempt'>;
  readonly ledger: Pick<Ledger, 'setting' | 'commit'>;
  readonly credentials: Credentials;
  readonly addressOf: (context: Context<RelayEnv>) => string;
}

const THEMES = ['light', 'dark', 'system'] as const;
/** A token is valid until its device is revoked. */
const NEVER = '9999-12-31T23:59:59.999Z';
const TENANT = { tenantId: 'drawbridge', tenantName: 'Drawbridge' };

/**
 * Sign-in and settings of clients that know accounts only: `/api/v1…` and `/api/knowledge/resolve`. The
 * password is the secret of a link, which pairs one device once (INT-306).
 */
export function accountRoutes(options: AccountRoutesOptions): Hono<RelayEnv> {
  const { devices, auth, ledger, credentials, addressOf } = options;
  const signedIn = signedInToInteract(credentials);
  const themeKey = (device_id: string): string => `client_theme ${device_id}`;

  const stepsOf = ({ access, bytes }: Pick<Route, 'access' | 'bytes'>) => [
    ...(access === 'interact' ? [signedIn] : []),
    ...(bytes === undefined
      ? []
      : [bodyLimit({ maxSize: bytes, onError: () => Promise.reject(tooLong(bytes)) })]),
  ];

  return serveOwnRoutes(ACCOUNTS, stepsOf, {
    'POST /api/v1/auth/login': async ({ context }) => {
      context.header('cache-control', 'no-store');
      const body = parseBody(await bodyText(context.req));
      const secret = secretIn(textOf(body, 'password'));
      const email = parseLabel(textOf(body, 'email'));
      const keys = [`pairing from ${addressKey(addressOf(context))}`, `invitation ${hashOf(secret)}`];
      const claim = () => devices.invitations.claim(secret, email, undefined, isForClients);
      const { device, token } = await attempted(() => auth.attempt(keys, claim));
      await ledger.commit([accountClientWrite(device.device_id)]);
      return { accessToken: token, expiresAt: NEVER, ...shownUser(device) };
    },
    'GET /api/v1/auth/session': ({ identity }) => shownUser(identity),
    'POST /api/v1/auth/logout': async ({ identity: me }) => {
      await devices.revoke(me.device_id, me);
      return undefined;
    },
    'GET /api/v1/user/preferences': async ({ identity }) => {
      const stored = await ledger.setting(themeKey(identity.device_id));
      const theme = THEMES.find((each) => each === stored) ?? 'system';
      return { preferences: { theme } };
    },
    'POST /api/v1/user/preferences': async ({ context, identity }) => {
      const named = parseBody(await bodyText(context.req))['theme'];
      const theme = THEMES.find((each) => each === named);
      if (theme === undefined) {
        throw new DeviceError('invalid_request', `"theme" is one of: ${THEMES.join(', ')}.`);
      }
      const key = themeKey(identity.device_id);
      await ledger.commit([{ do: 'put_setting', key, value: theme }]);
      return { success: true, preferences: { theme } };
    },
    'GET /api/knowledge/resolve': ({ query }) => {
      const host = query.url ?? '';
      const domain = rootDomainOf(`https://${host}/`) ?? host;
      return { allowed: true, domain, hasOrgKnowledge: false, context: [], citations: [] };
    },
  });
}

/** INT-306: an extension of somebody else never gets an owner's token. */
const isForClients = ({ roles, scopes }: InvitedAccess): boolean =>
  scopes.length === 0 && roles.every((role) => role === 'person' || role === 'runtime');

/** People paste the whole link, or what follows `#pair=`. */
const secretIn = (typed: string): string => (typed.split('#pair=').at(-1) ?? '').trim();

/** A 404 would make the client block the path; a wrong password is a 401. */
async function attempted<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DeviceError) || error.code !== 'pairing_not_found') throw error;
    throw new DeviceError('unauthorized', error.message);
  }
}

const shownUser = ({ device_id, label }: { readonly device_id: string; readonly label: string }) => ({
  user: { id: device_id, email: label, name: label },
  ...TENANT,
});

const tooLong = (bytes: number) =>
  new DeviceError('invalid_request', `The body is longer than ${bytes} bytes: send less.`);
