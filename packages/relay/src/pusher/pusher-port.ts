import { randomInt } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { CoreClock } from '../core/ports.ts';
import { createFrameRateLimit } from '../server/chat/device-rate-limits.ts';
import type { Log } from '../server/log.ts';
import type { Metrics } from '../server/metrics.ts';
import type { RelayLimits } from '../server/options.ts';
import type { Channels } from './channels.ts';
import { createPusherConnection } from './pusher-connection.ts';
import type { PusherApp } from './signature.ts';

export interface PusherPortOptions {
  readonly app: PusherApp;
  readonly channels: Channels;
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** `/app/:key`. A client shows only the key here; each channel authorizes it separately. */
export type PusherPort = ReturnType<typeof createPusherPort>;

interface Open {
  /** Stops receiving from the connection and sending to it. */
  readonly close: (code: number, reason: string) => void;
  readonly user: () => string | undefined;
  readonly vouchers: Set<string>;
  readonly address: string;
  /** A device or the app's server let it in to something. */
  readonly isKnown: () => boolean;
}

/** A client that has joined no channel by then comes back when it does. */
const UNSUBSCRIBED_MS = 30_000;
/** The time to answer a close. */
const CLOSING_MS = 2_000;

export function createPusherPort(options: PusherPortOptions) {
  const { app, channels, clock, limits, log } = options;
  const connections = options.metrics.counter('connections', { port: 'pusher', role: 'stranger' });
  const open = new Map<string, Open>();
  const leaving = new Set<WebSocket>();
  const madeRoom = options.metrics.counter('over_limit_total', { name: 'strangers' });
  let isClosed = false;

  const newSocketId = (): string => {
    const socket_id = `${randomInt(2 ** 47)}.${randomInt(2 ** 47)}`;
    return open.has(socket_id) ? newSocketId() : socket_id;
  };

  const letGo = (socket: WebSocket, code: number, reason: string): void => {
    leaving.add(socket);
    const cancel = clock.after(CLOSING_MS, () => socket.terminate());
    socket.on('close', () => {
      cancel();
      leaving.delete(socket);
    });
    socket.close(code, reason);
  };

  /** The oldest unknown socket goes, of the address that has most: no one can shut the others out (CHT-95). */
  const makeRoom = (): void => {
    const [stubborn] = leaving;
    if (leaving.size >= limits.strangers) stubborn?.terminate();
    const unknown = [...open.values()].filter((each) => !each.isKnown());
    if (unknown.length < limits.strangers) return;
    madeRoom();
    const byAddress = Map.groupBy(unknown, ({ address }) => address);
    const most = [...byAddress.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    most[0]?.close(4100, 'another client needs the room: join a channel sooner');
  };

  const start = (socket: WebSocket, address: string): void => {
    const socket_id = newSocketId();
    const connection = createPusherConnection({
      ...{ app, channels, clock, socket_id },
      send(text) {
        if (socket.readyState !== socket.OPEN) return;
        // Nothing is sent again (INT-194): a client that does not read reconnects after a pause.
        if (socket.bufferedAmount > limits.unread_bytes) close(4100, 'too much is unread');
        else socket.send(text);
      },
      close: (code, reason) => close(code, reason),
    });
    const rateLimit = createFrameRateLimit({
      clock,
      perSecond: limits.browser_frames_per_second,
      burst: limits.browser_burst,
    });
    const stream = rateLimit.open((waiting) => (waiting ? socket.pause() : socket.resume()));
    const cancel = clock.after(UNSUBSCRIBED_MS, () => {
      if (vouchers.size === 0 && !connection.hasJoined()) close(4100, 'no channel was joined within 30 s');
    });
    const end = (): void => {
      if (!open.delete(socket_id)) return;
      cancel();
      connections(-1);
      rateLimit.close();
      connection.closed();
      log('pusher_closed', { socket_id });
    };
    const close = (code: number, reason: string): void => {
      letGo(socket, code, reason);
      end();
    };
    const vouchers = new Set<string>();
    const isKnown = () => vouchers.size > 0 || connection.isAuthorised();
    open.set(socket_id, { close, user: connection.user, vouchers, address, isKnown });
    connections();
    log('pusher_opened', { socket_id });
    socket.on('message', (data, isBinary) =>
      stream.take(() => connection.receive(isBinary ? '' : String(data))),
    );
    // RFC 6455, 5.5.3: a ping may go unanswered while an earlier answer still waits.
    socket.on('ping', (data) => stream.take(() => socket.bufferedAmount === 0 && socket.pong(data)));
    socket.on('close', end);
  };

  return {
    /** Whether the path contains our app's key. */
    isOurs: (path: string): boolean => path === pathOf(app),
    /** The socket of a client at this address. A socket without a voucher may have to make room for it. */
    take(socket: WebSocket, url: string, address: string): void {
      socket.on('error', () => {});
      makeRoom();
      const refusal = refusalOf(url, app);
      if (refusal === undefined && !isClosed) start(socket, address);
      else letGo(socket, ...(refusal ?? ([4200, 'the relay is stopping'] as const)));
    },
    /**
     * A device authorizes this connection and answers for it from now on: `gone` when it is not open, `full`
     * when the device has too many.
     */
    vouch(socket_id: string, device_id: string): 'vouched' | 'gone' | 'full' {
      const connection = open.get(socket_id);
      if (connection === undefined) return 'gone';
      const own = [...open.values()].filter(({ vouchers }) => vouchers.has(device_id));
      if (!own.includes(connection) && own.length >= limits.person_sockets) return 'full';
      connection.vouchers.add(device_id);
      return 'vouched';
    },
    /** INT-201: ends the connections of a signed-in user. */
    endUser(user: string): void {
      for (const each of [...open.values()]) if (each.user() === user) each.close(4009, 'the user was ended');
    },
    /** Ends the connections that a revoked device authorized. */
    dismiss(device_id: string): void {
      for (const { close, vouchers } of [...open.values()]) {
        if (vouchers.has(device_id)) close(4009, 'the device was revoked');
      }
    },
    close(): void {
      isClosed = true;
      // INT-193: 4009 would stop them from reconnecting.
      for (const { close } of [...open.values()]) close(4200, 'the relay is stopping');
    },
  };
}

const pathOf = ({ key }: PusherApp): string => `/app/${key}`;

/** INT-177 */
function refusalOf(url: string, app: PusherApp): [code: number, reason: string] | undefined {
  const { pathname, searchParams } = new URL(url, 'ws://relay');
  if (pathname !== pathOf(app)) return [4001, 'there is no such app'];
  const version = searchParams.get('protocol');
  if (version === null) return [4008, 'no protocol version was given'];
  if (!/^\d+$/.test(version)) return [4006, 'the protocol version is malformed'];
  return version === '7' ? undefined : [4007, 'the protocol version is not supported'];
}
