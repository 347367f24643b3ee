import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAT_PROTOCOL_VERSION, type ChatFrame, type ChatFrameType, chat } from '@drawbridge/protocol';
import type { FakeClock } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { CoreClock, Role } from '../../src/core/ports.ts';
import type { RelayOptions } from '../../src/server/options.ts';
import { type Relay, startRelay } from '../../src/server/start-relay.ts';

/** Real sockets and a real disk take long on a busy machine. */
export type FrameOf<Type extends ChatFrameType> = Extract<ChatFrame, { readonly type: Type }>;
type Loose = Readonly<Record<string, unknown>>;

export interface TestDevice {
  readonly device_id: string;
  readonly token: string;
  readonly role: Role;
}

/** One end of a real socket at `/ws/chat`. */
export interface TestPeer {
  readonly device: TestDevice | undefined;
  readonly socket: WebSocket;
  /** Received frames, in order. */
  readonly frames: readonly ChatFrame[];
  /** Adds a missing `protocol_version` to an object; sends a text unchanged. */
  readonly send: (frame: Loose | string) => void;
  /** The oldest frame of that type not returned yet; waits for one. Fails when the socket closes first. */
  readonly next: <Type extends ChatFrameType>(type: Type) => Promise<FrameOf<Type>>;
  /** Resolves when everything sent so far has been answered: a heartbeat's ack comes after it. */
  readonly settled: () => Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly close: () => Promise<void>;
}

export interface ConnectOptions {
  /** Another connection of an existing device. */
  readonly device?: TestDevice;
  readonly scopes?: readonly string[];
}

export interface TestRelay extends Relay {
  readonly data: string;
  /** Logged lines. */
  readonly lines: readonly string[];
  readonly mint: (role: Role, scopes?: readonly string[]) => Promise<TestDevice>;
  /**
   * A new device of that role sends hello, with these fields replacing the defaults, and waits for its
   * `connection_ack` (which `next` still returns). With `null` it sends nothing.
   */
  readonly connect: (
    role: Role | 'stranger',
    hello?: Loose | null,
    options?: ConnectOptions,
  ) => Promise<TestPeer>;
  /** Stops the relay and starts another on the same folder. */
  readonly restart: () => Promise<TestRelay>;
}

export interface TestRelayOptions extends Partial<Omit<RelayOptions, 'clock'>> {
  readonly clock?: FakeClock;
}

/** A separate relay, closed when the test is over. */
export async function startTestRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  const { clock, data = await temporaryFolder(), ...rest } = options;
  const lines: string[] = [];
  const relay = await startRelay({
    port: 0,
    data,
    log: (line) => lines.push(line),
    ...(clock && { clock: coreClock(clock) }),
    ...rest,
  });
  onTestFinished(relay.close);

  const mint = async (role: Role, scopes: readonly string[] = []): Promise<TestDevice> => {
    const { device, token } = await relay.devices.mint({
      roles: [role],
      scopes,
      label: `a ${role}`,
      by: 'machine',
    });
    return { device_id: device.device_id, token, role };
  };

  return {
    ...relay,
    data,
    lines,
    mint,
    async connect(role, hello = {}, { device, scopes } = {}) {
      const own = device ?? (role === 'stranger' ? undefined : await mint(role, scopes));
      const peer = await openPeer(relay.url, own);
      if (hello === null) return peer;
      const acked = peer.next('connection_ack');
      peer.send({
        type: 'connection_hello',
        peer_role: role === 'proxy' ? 'proxy' : 'browser',
        client_name: 'test',
        ...hello,
      });
      peer.putBack(await acked);
      return peer;
    },
    async restart() {
      await relay.close();
      return startTestRelay({ ...options, data });
    },
  };
}

export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'relay-'));
  // A program that was just killed may still add a file.
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 50 }));
  return path;
}

export const coreClock = (clock: FakeClock): CoreClock => ({
  now: clock.now,
  after(ms, run) {
    const handle = clock.setTimeout(run, ms);
    return () => clock.clearTimeout(handle);
  },
});

/** Status of a refused upgrade; 101 for an accepted one. */
export async function upgradeStatus(
  url: string,
  path: string,
  options: ClientOptions = {},
  protocols: string[] = [],
) {
  const socket = new WebSocket(url.replace('http', 'ws') + path, protocols, options);
  return new Promise<number>((resolve, reject) => {
    socket.on('unexpected-response', (_, { statusCode = 0 }) => {
      resolve(statusCode);
      socket.terminate();
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

export interface OpenPeer extends TestPeer {
  readonly putBack: (frame: ChatFrame) => void;
}

export async function openPeer(url: string, device: TestDevice | undefined): Promise<OpenPeer> {
  const headers = device === undefined ? { origin: url } : { authorization: `Bearer ${device.token}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/chat`, 'drawbridge', {
    headers,
    rejectUnauthorized: false,
  });
  const frames: ChatFrame[] = [];
  const untaken: ChatFrame[] = [];
  const waiting = new Set<() => void>();
  let beats = 0;

  socket.on('message', (data) => {
    const frame = chat.parse(String(data));
    frames.push(frame);
    untaken.push(frame);
    for (const look of [...waiting]) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) });
      for (const look of [...waiting]) look();
    });
  });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');

  const send = (frame: Loose | string): void =>
    socket.send(
      typeof frame === 'string'
        ? frame
        : JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, ...frame }),
    );

  const taken = <Found extends ChatFrame>(
    fits: (frame: ChatFrame) => frame is Found,
    what: string,
  ): Promise<Found> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = untaken.find(fits);
        if (found !== undefined) {
          untaken.splice(untaken.indexOf(found), 1);
          resolve(found);
        } else if (socket.readyState === socket.CLOSED) {
          reject(new Error(`Closed before ${what} came. Came: ${frames.map(({ type }) => type).join(', ')}`));
        } else {
          waiting.add(look);
          return;
        }
        waiting.delete(look);
      };
      look();
    });

  return {
    device,
    socket,
    frames,
    send,
    next: <Type extends ChatFrameType>(type: Type) =>
      taken((frame): frame is FrameOf<Type> => frame.type === type, type),
    async settled() {
      beats += 1;
      const request_id = `settled_${beats}`;
      send({ type: 'heartbeat', request_id });
      await taken(
        (frame): frame is FrameOf<'heartbeat_ack'> =>
          frame.type === 'heartbeat_ack' && frame.request_id === request_id,
        'heartbeat_ack',
      );
    },
    closed,
    async close() {
      socket.close();
      await closed;
    },
    putBack: (frame) => untaken.unshift(frame),
  };
}
