import type { Ledger } from '@drawbridge/ledger';
import { isObject } from '@drawbridge/protocol/manifest';
import type { Hono } from 'hono';
import type { CoreClock } from '../core/ports.ts';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import { newSecret, type Random } from '../devices/secret.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { Log } from '../server/log.ts';
import type { Metrics } from '../server/metrics.ts';
import type { RelayLimits } from '../server/options.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { authRoutes, sessionChannel } from './auth-routes.ts';
import { createChannels } from './channels.ts';
import { createPusherPort, type PusherPort } from './pusher-port.ts';
import { createRemotePublisher, type RemoteApp } from './remote-app.ts';
import type { PusherApp } from './signature.ts';
import { triggerRoutes } from './trigger-routes.ts';
import { createWebhook } from './webhook.ts';

export interface PusherOptions {
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly random: Random;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Another server that gets the events instead. */
  readonly remote?: RemoteApp | undefined;
  /** Address notified when a channel gets its first or loses its last subscriber. */
  readonly webhook?: string | undefined;
  readonly onError: (error: unknown) => void;
}

export type SessionPush = 'new_message' | 'interact_response';

/** Pusher Channels protocol 7, for unmodified `pusher-js` and `pusher`. */
export interface Pusher {
  /** Undefined when another server has the connections. */
  readonly port: PusherPort | undefined;
  readonly routes: (
    app: Hono<RelayEnv>,
    credentials: Credentials,
    auth: Pick<AuthMiddleware, 'confirm'>,
  ) => void;
  /** Sends to the session's subscribers, at most once. Not awaited. */
  readonly trigger: (session_id: string, event: SessionPush, payload: unknown) => void;
  readonly dismiss: (device_id: string) => void;
  readonly close: () => void;
}

export async function createPusher(options: PusherOptions): Promise<Pusher> {
  const { ledger, clock, random, remote, webhook: url, onError } = options;
  const app = remote ?? (await openOwnApp(ledger, random));
  const webhook = url === undefined ? undefined : createWebhook({ url, app, clock, onError });
  const channels = createChannels(webhook?.send);
  const port = remote === undefined ? createPusherPort({ ...options, app, channels }) : undefined;
  const far = remote && createRemotePublisher(remote, clock.now, onError);
  const publish = far?.publish ?? channels.publish;
  return {
    port,
    routes(relayApp, credentials, auth) {
      relayApp.route(
        '/',
        authRoutes({ app, host: remote?.host, ledger, credentials, auth, port, now: clock.now }),
      );
      if (port !== undefined)
        relayApp.route('/', triggerRoutes({ app, channels, clock, endUser: port.endUser }));
    },
    trigger(session_id, event, payload) {
      publish({ event, channel: sessionChannel(session_id), data: JSON.stringify(payload) });
    },
    dismiss: (device_id) => port?.dismiss(device_id),
    close() {
      port?.close();
      far?.close();
      webhook?.close();
    },
  };
}

const SETTING = 'pusher_app';
const MASTER_KEY_BYTES = 32;

/** Created once per ledger and stable over restarts: clients have its key in their settings. */
async function openOwnApp(ledger: Pick<Ledger, 'setting' | 'commit'>, random: Random): Promise<PusherApp> {
  const stored = parseApp(await ledger.setting(SETTING));
  if (stored?.master_key !== undefined) return stored;
  const hex = (bytes: number) => Buffer.from(random(bytes)).toString('hex');
  const app = {
    app_id: String(1 + (Number.parseInt(hex(4), 16) % 999_999_999)),
    key: hex(10),
    secret: newSecret(random),
    ...stored,
    master_key: Buffer.from(random(MASTER_KEY_BYTES)).toString('base64'),
  };
  await ledger.commit([{ do: 'put_setting', key: SETTING, value: app }]);
  return app;
}

function parseApp(value: unknown): PusherApp | undefined {
  if (!isObject(value)) return undefined;
  const { app_id, key, secret, master_key } = value;
  const isWhole = typeof app_id === 'string' && typeof key === 'string' && typeof secret === 'string';
  if (!isWhole) return undefined;
  return { app_id, key, secret, ...(typeof master_key === 'string' && { master_key }) };
}
