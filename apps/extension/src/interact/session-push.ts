import { type Clock, systemClock } from '@drawbridge/link';
import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
// The worker build loads no remote code; the page build fetches its vendor's scripts.
import pusherModule from 'pusher-js/worker/index.js';
import { askServer, type InteractServer } from './interact-server.ts';

/** The used part of pusher-js. */
export interface PusherClient {
  readonly subscribe: (channel: string) => {
    readonly bind: (event: string, run: (data: unknown) => void) => unknown;
  };
  readonly unsubscribe: (channel: string) => void;
  readonly disconnect: () => void;
}

export type PusherClass = new (key: string, options: Readonly<Record<string, unknown>>) => PusherClient;

export interface PushListener {
  /** INT-170: the raw payload. */
  readonly onNewMessage: (payload: unknown) => void;
  /** INT-171, and after each reconnect: missed messages are not repeated (INT-194). */
  readonly onRound: () => void;
}

/** Push events of a server's sessions. Optional: without push, updates only come later. */
export interface SessionPush {
  readonly listen: (sessionId: string, listener: PushListener) => () => void;
  readonly close: () => void;
}

export interface SessionPushOptions {
  readonly server: InteractServer;
  /** Undefined: the pusher-js build for workers and extension pages. */
  readonly pusher?: PusherClass;
  readonly clock?: Clock;
}

interface PusherApp {
  readonly key: string;
  /** `127.0.0.1:7717`. */
  readonly host: string;
  readonly auth_path: string;
}

/** Retry interval for an unreachable server. */
const RETRY_MS = 10_000;

export function createSessionPush(options: SessionPushOptions): SessionPush {
  const { clock = systemClock } = options;
  let client: Promise<PusherClient | undefined> | undefined;
  let isClosed = false;
  let wake = () => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(RETRY_MS, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  /** Undefined if the server has no push. */
  const connecting = async (): Promise<PusherClient | undefined> => {
    while (!isClosed) {
      try {
        return await connect(options);
      } catch (error) {
        if (!(error instanceof BridgeError && error.recoverable)) return undefined;
        await pause();
      }
    }
    return undefined;
  };
  const connected = (): Promise<PusherClient | undefined> => {
    client ??= connecting();
    return client;
  };
  return {
    listen(sessionId, listener) {
      const channel = `private-session-${sessionId}`;
      let isOver = false;
      const unless = (run: () => void) => () => (isOver || isClosed ? undefined : run());
      const subscribed = connected().then((there) => {
        if (there === undefined || isOver || isClosed) return undefined;
        const bound = there.subscribe(channel);
        bound.bind('new_message', (payload) => unless(() => listener.onNewMessage(payload))());
        bound.bind('interact_response', unless(listener.onRound));
        bound.bind('pusher:subscription_succeeded', unless(listener.onRound));
        return there;
      });
      return () => {
        isOver = true;
        void subscribed.then((there) => there?.unsubscribe(channel));
      };
    },
    close() {
      isClosed = true;
      wake();
      void client?.then((there) => there?.disconnect());
    },
  };
}

async function connect({ server, pusher }: SessionPushOptions): Promise<PusherClient> {
  const { key, host, auth_path } = parseApp(await askServer(server, { path: '/api/pusher/config' }));
  const isSecure = server.url.startsWith('https:');
  const { hostname, port } = new URL(`${isSecure ? 'https' : 'http'}://${host}`);
  const at = Number(port) || (isSecure ? 443 : 80);
  const Client = pusher ?? trustPusher(pusherModule);
  return new Client(key, {
    cluster: 'any',
    wsHost: hostname,
    wsPort: at,
    wssPort: at,
    forceTLS: isSecure,
    enabledTransports: ['ws', 'wss'],
    channelAuthorization: {
      endpoint: server.url + auth_path,
      transport: 'ajax',
      customHandler: (asked: Asked, done: Done) => {
        authorize(server, auth_path, asked).then(
          (answer) => done(null, answer),
          (error: Error) => done(error, null),
        );
      },
    },
  });
}

interface Asked {
  readonly socketId: string;
  readonly channelName: string;
}
type Done = (error: Error | null, answer: unknown) => void;

/** INT-195 */
const authorize = (server: InteractServer, path: string, asked: Asked): Promise<unknown> =>
  askServer(server, {
    path,
    method: 'POST',
    body: new URLSearchParams({ socket_id: asked.socketId, channel_name: asked.channelName }),
  });

function parseApp(answer: unknown): PusherApp {
  const { key, host, auth_path = '/api/pusher/auth' } = isObject(answer) ? answer : {};
  if (typeof key !== 'string' || typeof host !== 'string' || typeof auth_path !== 'string')
    throw new Error('The server does not say where it pushes.');
  return { key, host, auth_path };
}

/** The types declare a default export; the class is the module itself. */
function trustPusher(module: unknown): PusherClass {
  return module as PusherClass;
}
