import type { Duplex } from 'node:stream';
import { CHAT_PROTOCOL_VERSION } from '@drawbridge/protocol';
import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../core/connection.ts';
import type { CoreClock, Identity, RelayCore } from '../../core/ports.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import type { InFlight } from '../quotas/in-flight.ts';
import { createDeviceRateLimits, frameCost, ledgerRate } from './device-rate-limits.ts';
import { createSendBuffer } from './send-buffer.ts';

export interface ChatPortOptions {
  readonly core: Pick<RelayCore, 'connect'>;
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly inFlight: InFlight;
  /** Set where a device may have sockets on other nodes too. */
  readonly presence?: DevicePresence | undefined;
}

/** Number of nodes that each device is connected to, which share its limits. */
export interface DevicePresence {
  readonly nodesOf: (device_id: string) => number;
  readonly came: (device_id: string) => void;
  readonly left: (device_id: string) => void;
}

/** `/ws/chat`: connects sockets to the core. */
export type ChatPort = ReturnType<typeof createChatPort>;

export function createChatPort(options: ChatPortOptions) {
  const { core, clock, limits, log, presence, inFlight } = options;
  const nodesOf = presence?.nodesOf;
  const { counter, gauge } = options.metrics;
  const cameIn = counter('frames_total', { direction: 'in' });
  const wentOut = counter('frames_total', { direction: 'out' });
  const delayed = counter('frames_delayed_total');
  const lagging = counter('lagging_total');
  const rateLimits = createDeviceRateLimits({ clock, limits, nodesOf });
  const ledgerRateLimits = createDeviceRateLimits({ clock, limits, nodesOf, rateOf: ledgerRate });
  const overLedger = counter('over_limit_total', { name: 'ledger_bytes_per_day' });
  gauge('limit_used', rateLimits.mostUsed, { name: 'browser_burst' });
  gauge('limit_used', ledgerRateLimits.mostUsed, { name: 'ledger_bytes_per_day' });
  gauge('limit_used', () => Math.max(0, ...open.values()), { name: 'person_sockets' });
  /** Open sockets by device; strangers share one entry. */
  const open = new Map<string | undefined, number>();
  const count = (identity: Identity | undefined, by: number): void => {
    const before = open.get(identity?.device_id) ?? 0;
    const sockets = before + by;
    if (identity !== undefined && before === 0) presence?.came(identity.device_id);
    if (identity !== undefined && sockets === 0) presence?.left(identity.device_id);
    if (sockets === 0) open.delete(identity?.device_id);
    else open.set(identity?.device_id, sockets);
  };

  const take = (socket: WebSocket, stream: Duplex, identity: Identity | undefined): void => {
    const role = identity?.roles[0] ?? 'stranger';
    const connections = counter('connections', { port: 'chat', role });
    const stops = { pace: false, full: false, ledger: false, backlog: false };
    let closing = false;
    let isCounted = false;
    const countLagging = (): void => {
      if (!isCounted) lagging();
      isCounted = true;
    };
    const hold = (why: keyof typeof stops, held: boolean) => {
      stops[why] = held;
      if (stops.pace || stops.ledger || ((stops.full || stops.backlog) && !closing)) socket.pause();
      else socket.resume();
    };
    const bytes = inFlight.open(identity?.device_id, () => socket.bufferedAmount);
    let cancelTermination = () => {};
    const end = (code: number, reason: string): void => {
      closing = true;
      if (code === CLOSE_CODES.lagging) countLagging();
      hold('full', false);
      socket.close(code, reason);
      // A paused socket may never read the peer's close.
      cancelTermination = clock.after(CLOSING_MS, () => socket.terminate());
    };
    const sendBuffer = createSendBuffer({
      socket,
      stream,
      unreadBytes: limits.unread_bytes,
      unreadEvents: limits.unread_events,
      unreadAnswerBytes: limits.unread_answer_bytes,
      isOver: bytes.isOver,
      onLagging: countLagging,
      onFull: (full) => hold('full', full),
    });
    const connection = core.connect({
      identity,
      send(text, sendClass) {
        const taken = sendBuffer.send(text, sendClass);
        if (taken) wentOut();
        if (sendClass === 'history') rateLimit.charge(text.length / limits.history_unit);
        return taken;
      },
      async drained() {
        await sendBuffer.drained();
        await turn();
      },
      unread: () => socket.bufferedAmount,
      charge: (frames) => rateLimit.charge(frames),
      hold: (isHeld) => hold('backlog', isHeld),
      close: end,
    });
    const rateLimit = rateLimits.open(identity, (waiting) => {
      if (waiting) delayed();
      hold('pace', waiting);
    });
    const ledgerRateLimit = ledgerRateLimits.open(identity, (waiting) => {
      if (waiting) {
        overLedger();
        sendBuffer.send(OVER_LEDGER, 'answer');
      }
      hold('ledger', waiting);
    });
    const turns = new Set<() => void>();
    /** Resolves when its device has paid for the history that it got, or its socket has ended. */
    const turn = (): Promise<void> =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve();
        turns.add(resolve);
        rateLimit.take(() => {
          turns.delete(resolve);
          resolve();
        }, 0);
      });
    count(identity, 1);
    connections();
    const facts = { connection_id: connection.connection_id, role, device_id: identity?.device_id ?? '' };
    log('chat_opened', facts);
    /**
     * Frames of a closing peer are limited too: otherwise they would be read at full speed until the socket
     * ends.
     */
    const pass = (act: () => void, cost = 1): void =>
      rateLimit.take(() => {
        if (!closing) act();
      }, cost);
    socket.on('message', (data, isBinary) => {
      cameIn();
      const text = isBinary ? BINARY : String(data);
      const cost = frameCost(text.length, limits);
      if (closing) return pass(() => {}, cost);
      if (!bytes.received(text.length)) return end(TRY_AGAIN_LATER, OVER_BYTES);
      const receive = (): void => {
        if (closing) return;
        bytes.handled(text.length);
        connection.receive(text);
      };
      ledgerRateLimit.take(() => rateLimit.take(receive, cost), text.length);
    });
    // Pings count as frames: a thousand a second is a flood too.
    socket.on('ping', (data) => pass(() => socket.pong(data)));
    socket.on('pong', () => pass(() => {}));
    // 'close' follows, with the code.
    socket.on('error', () => {});
    socket.on('close', (code) => {
      count(identity, -1);
      connections(-1);
      rateLimit.close();
      ledgerRateLimit.close();
      bytes.close();
      cancelTermination();
      sendBuffer.ended();
      for (const resolve of turns) resolve();
      connection.closed();
      log('chat_closed', { ...facts, code });
    });
  };

  return {
    /** CHT-95: undefined is a stranger. */
    hasRoomFor(identity: Identity | undefined): boolean {
      const share = identity === undefined ? 1 : (nodesOf?.(identity.device_id) ?? 1);
      return (open.get(identity?.device_id) ?? 0) < Math.ceil(socketsOf(identity, limits) / share);
    },
    /** Accepts a socket whose credential was checked before. */
    take,
    close(): void {
      rateLimits.close();
      ledgerRateLimits.close();
    },
  };
}

/** From now on this device's sends are stored more slowly, and none is lost. */
const OVER_LEDGER = JSON.stringify({
  ...{ protocol_version: CHAT_PROTOCOL_VERSION, type: 'connection_error', code: 'rate_limited' },
  message:
    'This device has added as much to the ledger as it may in a day (ledger_bytes_per_day). New sends wait; try again in a minute.',
  retry_after_ms: 60_000,
});

/** RFC 6455, 7.4.1, and https://www.iana.org/assignments/websocket */
const TRY_AGAIN_LATER = 1013;
const OVER_BYTES = 'Over the limit bytes_in_flight. Connect again in a second.';
const CLOSING_MS = 2_000;

/** Represents a binary frame: no text, so no message (CHT-01). */
const BINARY = '';

function socketsOf(identity: Identity | undefined, limits: RelayLimits): number {
  if (identity === undefined) return limits.strangers;
  return identity.roles.includes('proxy') ? limits.proxy_sockets : limits.person_sockets;
}
