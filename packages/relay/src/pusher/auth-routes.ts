import { RecentMap } from '@drawbridge/base';
import type { Ledger } from '@drawbridge/ledger';
import { Hono } from 'hono';
import type { Identity } from '../core/ports.ts';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isOwner, isPerson, maySeeSession } from '../server/guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../server/relay-env.ts';
import type { PusherPort } from './pusher-port.ts';
import { channelAuth, type PusherApp, sharedSecret } from './signature.ts';

export interface AuthRoutesOptions {
  readonly app: PusherApp;
  /** Where clients connect, when it is not this relay. */
  readonly host: string | undefined;
  readonly ledger: Pick<Ledger, 'session' | 'tabSession'>;
  readonly credentials: Credentials;
  readonly auth: Pick<AuthMiddleware, 'confirm'>;
  /** Undefined when another server has the connections. */
  readonly port: Pick<PusherPort, 'vouch'> | undefined;
  readonly now: () => number;
}

const BODY_BYTES = 4_096;
/** INT-318: refused authorisations of a device within the time, after which the next ones wait. */
const REFUSED = { most: 10, within_ms: 10_000, devices: 1_000 };
const SOCKET_ID = /^\d{1,20}\.\d{1,20}$/;
/** A signed name with a colon could be read as another session's name and its `channel_data`. */
const SESSION_CHANNEL = /^private-(encrypted-)?session-([\w\-=@,.;]+)$/;

export const sessionChannel = (session_id: string): string => `private-session-${session_id}`;

/** `/api/pusher/{auth,config}` */
export function authRoutes(options: AuthRoutesOptions): Hono<RelayEnv> {
  const { app, host, ledger, credentials, auth, port, now } = options;
  const mayListen = (identity: Identity): boolean => isPerson(identity) || identity.roles.includes('runtime');

  /** Whether the session is of the device's own tab, or visible to it in the chat. */
  const mayHear = async (identity: Identity, session_id: string): Promise<boolean> => {
    const tab = await ledger.tabSession(session_id);
    if (tab?.device_id === identity.device_id) return true;
    const session = await ledger.session(session_id);
    return session !== undefined && maySeeSession(identity, session_id, session.proxy_device_id);
  };

  const refused = new RecentMap<string, { readonly since: number; readonly count: number }>(REFUSED.devices);
  const recentlyRefused = (device_id: string) => {
    const last = refused.get(device_id);
    return last !== undefined && now() - last.since < REFUSED.within_ms ? last : { since: now(), count: 0 };
  };

  return new Hono<RelayEnv>()
    .use('*', async (context, next) => {
      context.header('cache-control', 'no-store');
      await next();
    })
    .get('/config', signedIn(credentials, mayListen), async (context) => {
      const { key, app_id, secret, master_key } = app;
      const shown = { key, host: host ?? context.req.header('host'), auth_path: '/api/pusher/auth' };
      const by = context.get('identity');
      if (!isOwner(by)) return context.json(shown);
      await auth.confirm(context, by, { act: 'read_pusher_secret', roles: [], label: 'Pusher' });
      return context.json({ ...shown, app_id, secret, master_key });
    })
    .post('/auth', bodyOf(BODY_BYTES), signedIn(credentials, mayListen), async (context) => {
      const form = new URLSearchParams(await context.req.text());
      const [socket_id = '', channel = ''] = [form.get('socket_id') ?? '', form.get('channel_name') ?? ''];
      if (!SOCKET_ID.test(socket_id) || channel === '') {
        return refuse(context, 'invalid_request', 'Send a form with socket_id and channel_name.');
      }
      const identity = context.get('identity');
      const [, encrypted, session_id] = SESSION_CHANNEL.exec(channel) ?? [];
      const opening = encrypted && app.master_key && sharedSecret(app.master_key, channel);
      const isNamed = session_id !== undefined && (encrypted === undefined || opening !== undefined);
      const { device_id } = identity;
      // A client that reconnects at each 403 would ask without end; 429 leaves it unsubscribed.
      if (recentlyRefused(device_id).count >= REFUSED.most) {
        context.header('retry-after', String(REFUSED.within_ms / 1_000));
        return refuse(context, 'rate_limited', 'Too many refused channels. Try again in ten seconds.');
      }
      if (!isNamed || !(await mayHear(identity, session_id))) {
        const { since, count } = recentlyRefused(device_id);
        refused.set(device_id, { since, count: count + 1 });
        return refuse(context, 'forbidden', 'This device may not listen to that channel.');
      }
      const vouched = port?.vouch(socket_id, identity.device_id) ?? 'vouched';
      if (vouched === 'gone')
        return refuse(context, 'forbidden', 'No such connection is open. Connect first.');
      if (vouched === 'full') {
        return refuse(context, 'rate_limited', 'This device has too many connections. Close some.');
      }
      const auth = channelAuth(app, socket_id, channel);
      return context.json({ auth, ...(opening && { shared_secret: opening }) });
    });
}
