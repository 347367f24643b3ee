import { RecentMap } from '@drawbridge/base';
import type { Ledger } from '@drawbridge/ledger';
import { PUSHER_AUTH } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { Identity } from '../core/ports.ts';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isOwner, maySeeSession } from '../server/guard/permission.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveRoutes } from '../server/serve-routes.ts';
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

/** INT-318: refused authorisations of a device within the time, after which the next ones wait. */
const REFUSED = { most: 10, within_ms: 10_000, devices: 1_000 };
const SOCKET_ID = /^\d{1,20}\.\d{1,20}$/;
/** A signed name with a colon could be read as another session's name and its `channel_data`. */
const SESSION_CHANNEL = /^private-(encrypted-)?session-([\w\-=@,.;]+)$/;

export const sessionChannel = (session_id: string): string => `private-session-${session_id}`;

/** `/api/pusher/{auth,config}` */
export function authRoutes(options: AuthRoutesOptions): Hono<RelayEnv> {
  const { app, host, ledger, credentials, auth, port, now } = options;

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

  return serveRoutes(PUSHER_AUTH, credentials, {
    'GET /api/pusher/config': async ({ context, identity: by }) => {
      const { key, app_id, secret, master_key } = app;
      const shown = { key, host: host ?? context.req.header('host'), auth_path: '/api/pusher/auth' };
      if (!isOwner(by)) return shown;
      await auth.confirm(context, by, { act: 'read_pusher_secret', roles: [], label: 'Pusher' });
      return { ...shown, app_id, secret, master_key };
    },
    'POST /api/pusher/auth': async ({ context, identity, refuse }) => {
      const form = new URLSearchParams(await context.req.text());
      const [socket_id = '', channel = ''] = [form.get('socket_id') ?? '', form.get('channel_name') ?? ''];
      if (!SOCKET_ID.test(socket_id) || channel === '') {
        return refuse('invalid_request', 'Send a form with socket_id and channel_name.');
      }
      const [, encrypted, session_id] = SESSION_CHANNEL.exec(channel) ?? [];
      const opening = encrypted && app.master_key && sharedSecret(app.master_key, channel);
      const isNamed = session_id !== undefined && (encrypted === undefined || opening !== undefined);
      const { device_id } = identity;
      // A client that reconnects at each 403 would ask without end; 429 leaves it unsubscribed.
      if (recentlyRefused(device_id).count >= REFUSED.most) {
        context.header('retry-after', String(REFUSED.within_ms / 1_000));
        return refuse('rate_limited', 'Too many refused channels. Try again in ten seconds.');
      }
      if (!isNamed || !(await mayHear(identity, session_id))) {
        const { since, count } = recentlyRefused(device_id);
        refused.set(device_id, { since, count: count + 1 });
        return refuse('forbidden', 'This device may not listen to that channel.');
      }
      const vouched = port?.vouch(socket_id, identity.device_id) ?? 'vouched';
      if (vouched === 'gone') return refuse('forbidden', 'No such connection is open. Connect first.');
      if (vouched === 'full') {
        return refuse('rate_limited', 'This device has too many connections. Close some.');
      }
      const auth = channelAuth(app, socket_id, channel);
      return { auth, ...(opening && { shared_secret: opening }) };
    },
  });
}
