import { once } from 'node:events';
import { createRequire } from 'node:module';
import { session } from '@drawbridge/ledger/test/samples';
import { type PusherFrame, pusher } from '@drawbridge/protocol';
import Pusher from 'pusher';
import type PusherJs from 'pusher-js';
import type { Channel } from 'pusher-js';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { PusherApp } from '../../src/pusher/signature.ts';
import type { TestDevice, TestRelay } from '../server/test-relay.ts';

export const SESSION = '59adf5f0-cddb-42dd-a20d-658ac57278fd';
export const CHANNEL = `private-session-${SESSION}`;

type PusherClient = InstanceType<typeof PusherJs.default>;
/** The types declare a default export, but the class is the module itself. */
const PusherClient: typeof PusherJs.default = createRequire(import.meta.url)('pusher-js');

const bearer = ({ token }: Pick<TestDevice, 'token'>) => ({ authorization: `Bearer ${token}` });

export async function addSession({ ledger }: TestRelay, session_id = SESSION): Promise<void> {
  await ledger.commit([session(session_id)]);
}

/** The app's settings, as an owner sees them. */
export async function appOf(relay: TestRelay): Promise<PusherApp> {
  const owner = await relay.mint('owner');
  return (await fetch(`${relay.url}/api/pusher/config`, { headers: bearer(owner) })).json();
}

export function askAuth(relay: TestRelay, device: TestDevice | undefined, form: Record<string, string>) {
  return fetch(`${relay.url}/api/pusher/auth`, {
    method: 'POST',
    headers: device === undefined ? {} : bearer(device),
    body: new URLSearchParams(form),
  });
}

/** An unmodified client, with or without a device. */
export function connectClient(
  relay: Pick<TestRelay, 'url' | 'port'>,
  key: string,
  device?: Pick<TestDevice, 'token'>,
): PusherClient {
  const client = new PusherClient(key, {
    ...{ cluster: 'any', wsHost: '127.0.0.1', wsPort: relay.port, forceTLS: false },
    enabledTransports: ['ws'],
    channelAuthorization: {
      endpoint: `${relay.url}/api/pusher/auth`,
      transport: 'ajax',
      ...(device && { headers: bearer(device) }),
    },
  });
  onTestFinished(() => client.disconnect());
  return client;
}

/** An unmodified client of an app whose own server authorizes it, with the unmodified server library. */
export function connectAppClient(relay: TestRelay, app: PusherApp, user_id = 'u1', info = {}): PusherClient {
  const server = publisherOf(app, relay.port);
  const client = new PusherClient(app.key, {
    ...{ cluster: 'any', wsHost: '127.0.0.1', wsPort: relay.port, forceTLS: false },
    enabledTransports: ['ws'],
    channelAuthorization: {
      ...{ endpoint: '', transport: 'ajax' },
      customHandler: ({ socketId, channelName }, done) =>
        done(null, server.authorizeChannel(socketId, channelName, { user_id, user_info: info })),
    },
    userAuthentication: {
      ...{ endpoint: '', transport: 'ajax' },
      customHandler: ({ socketId }, done) => done(null, server.authenticateUser(socketId, { id: user_id })),
    },
  });
  onTestFinished(() => client.disconnect());
  return client;
}

export const nextEvent = (channel: Channel, event: string): Promise<unknown> =>
  new Promise((resolve) => channel.bind(event, resolve));

export async function joined(client: PusherClient, name: string): Promise<Channel> {
  const channel = client.subscribe(name);
  await nextEvent(channel, 'pusher:subscription_succeeded');
  return channel;
}

export const connected = (client: PusherClient): Promise<unknown> =>
  client.connection.state === 'connected'
    ? Promise.resolve()
    : new Promise((resolve) => client.connection.bind('connected', resolve));

/** The unmodified server library. */
export const publisherOf = ({ app_id: appId, key, secret, master_key }: PusherApp, port: number): Pusher =>
  new Pusher({
    ...{ appId, key, secret, host: '127.0.0.1', port: String(port), useTLS: false },
    ...(master_key && { encryptionMasterKeyBase64: master_key }),
  });

export interface RawClient {
  readonly socket: WebSocket;
  readonly socket_id: string;
  readonly send: (frame: object | string) => void;
  readonly next: () => Promise<PusherFrame>;
  readonly closed: Promise<number>;
}

/** A socket that the test scripts. */
export async function connectRaw({ url }: TestRelay, key: string, headers = {}): Promise<RawClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/app/${key}?protocol=7&client=raw`, { headers });
  onTestFinished(() => socket.terminate());
  const untaken: PusherFrame[] = [];
  const waiting: ((frame: PusherFrame) => void)[] = [];
  socket.on('message', (data) => {
    const frame = pusher.parse(String(data));
    if (frame.event === 'pusher_internal:subscription_count') return;
    const taker = waiting.shift();
    if (taker === undefined) untaken.push(frame);
    else taker(frame);
  });
  const next = (): Promise<PusherFrame> => {
    const frame = untaken.shift();
    return frame === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(frame);
  };
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  const { socket_id } = JSON.parse(String((await next()).data));
  const send = (frame: object | string): void =>
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return { socket, socket_id, send, next, closed };
}

/** The close code of a socket at this path. */
export async function closeCode({ url }: TestRelay, path: string): Promise<number> {
  const socket = new WebSocket(url.replace('http', 'ws') + path);
  const [code] = await once(socket, 'close');
  return code;
}
