import { join } from 'node:path';
import { type Ledger, LedgerError } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { ledgerFolder, openForTest } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { CHAT_PROTOCOL_VERSION, type ChatFrame, type ChatFrameType, chat } from '@drawbridge/protocol';
import { createFakeClock, type FakeClock } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import type { FrameOf } from '../../src/core/frames.ts';
import type {
  Bus,
  CorePorts,
  CoreTimes,
  Identity,
  PeerPort,
  RelayCore,
  SendClass,
} from '../../src/core/ports.ts';
import { createRelayCore } from '../../src/core/relay-core.ts';
import { createLocalBus } from './local-bus.ts';

/** A peer in the same process, with the frames it received and how its connection ended. */
export interface TestPeer {
  readonly connection_id: string;
  readonly frames: readonly ChatFrame[];
  readonly sendClasses: readonly SendClass[];
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
  readonly send: (frame: SentFrame) => void;
  readonly sendText: (text: string) => void;
  readonly hello: (more?: object) => Promise<FrameOf<'connection_ack'>>;
  /** The next frame of that type after those already awaited. */
  readonly next: <Type extends ChatFrameType>(type: Type) => Promise<FrameOf<Type>>;
  readonly of: <Type extends ChatFrameType>(type: Type) => readonly FrameOf<Type>[];
  /** Resolves when everything sent so far was answered, by a heartbeat's round trip. */
  readonly settled: () => Promise<void>;
  readonly hangUp: () => void;
  /** Stops reading: `send` of a live event returns false, and nothing drains. */
  readonly stall: () => void;
}

export type SentFrame = { readonly type: ChatFrameType } & Readonly<Record<string, unknown>>;

export const AT = '2026-01-01T00:00:00.000Z';

const identity = (device_id: string, role: Identity['roles'][number]): Identity => ({
  device_id,
  roles: [role],
  label: device_id.charAt(0).toUpperCase() + device_id.slice(1),
  scopes: [],
});

export const person = (device_id = 'phone', scopes: readonly string[] = []): Identity => ({
  ...identity(device_id, 'person'),
  scopes,
});
export const proxyOf = (device_id = 'laptop'): Identity => identity(device_id, 'proxy');

export function openPeer(core: RelayCore, who: Identity | undefined): TestPeer {
  const frames: ChatFrame[] = [];
  const sendClasses: SendClass[] = [];
  const taken = new Set<ChatFrame>();
  const wakes = new Set<() => void>();
  let closed: TestPeer['closed'];
  let stalled = false;
  const port: PeerPort = {
    identity: who,
    send: (text, sendClass) => {
      if (stalled && sendClass === 'live') return false;
      // Every frame of the relay must match the protocol.
      frames.push(chat.parse(text));
      sendClasses.push(sendClass);
      for (const wake of wakes) wake();
      return true;
    },
    drained: () => (stalled ? new Promise(() => {}) : Promise.resolve()),
    close: (code, reason) => {
      closed ??= { code, reason };
    },
  };
  const connection = core.connect(port);
  const isOf =
    <Type extends ChatFrameType>(type: Type) =>
    (frame: ChatFrame): frame is FrameOf<Type> =>
      frame.type === type;
  const peer: TestPeer = {
    connection_id: connection.connection_id,
    frames,
    sendClasses,
    get closed() {
      return closed;
    },
    send: (frame) =>
      connection.receive(JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, ...frame })),
    sendText: (text) => connection.receive(text),
    hello: (more = {}) => {
      const peer_role = who?.roles.includes('proxy') ? 'proxy' : 'browser';
      peer.send({ type: 'connection_hello', peer_role, client_name: 'test', ...more });
      return peer.next('connection_ack');
    },
    next: (type) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = frames.filter(isOf(type)).find((frame) => !taken.has(frame));
          if (found === undefined) return;
          taken.add(found);
          wakes.delete(look);
          resolve(found);
        };
        wakes.add(look);
        look();
      }),
    of: (type) => frames.filter(isOf(type)),
    settled: async () => {
      peer.send({ type: 'heartbeat', request_id: `settled-${frames.length}` });
      await peer.next('heartbeat_ack');
    },
    hangUp: () => connection.closed(),
    stall: () => {
      stalled = true;
    },
  };
  return peer;
}

export interface CoreHarness {
  readonly ledger: Ledger;
  readonly clock: FakeClock;
  readonly core: RelayCore;
  readonly faults: readonly unknown[];
  /** Seconds from acceptance to delivery, as the metric gets them. */
  readonly delivered: readonly number[];
  readonly browser: (device_id?: string, hello?: object) => Promise<TestPeer>;
  /** A proxy that has announced these sessions. */
  readonly proxy: (sessions?: readonly string[], device_id?: string, hello?: object) => Promise<TestPeer>;
  /** As after a crash: another core on the same ledger. */
  readonly restart: () => Promise<CoreHarness>;
}

export interface CoreHarnessOptions {
  readonly ledger?: Ledger;
  readonly clock?: FakeClock;
  readonly bus?: Bus;
  readonly times?: Partial<CoreTimes>;
  /** A follower: people only. */
  readonly follower?: boolean;
}

let ids = 0;

export async function createCoreHarness(options: CoreHarnessOptions = {}): Promise<CoreHarness> {
  const ledger = options.ledger ?? (await openForTest({ path: join(await ledgerFolder(), 'ledger.db') }));
  const clock = options.clock ?? createFakeClock(Date.parse(AT));
  const faults: unknown[] = [];
  const delivered: number[] = [];
  const ports: CorePorts = {
    ledger,
    clock,
    id: (kind) => {
      ids += 1;
      return `${kind}_${ids}`;
    },
    bus: options.bus ?? createLocalBus(),
    onError: (error) => faults.push(error),
    onDelivered: (seconds) => delivered.push(seconds),
  };
  const core = await createRelayCore(ports, options.times, options.follower ? 'follower' : 'leader');
  onTestFinished(() => core.stop());
  return {
    ledger,
    clock,
    core,
    faults,
    delivered,
    browser: async (device_id = 'phone', hello = {}) => {
      const peer = openPeer(core, person(device_id));
      await peer.hello(hello);
      await peer.next('session_snapshot');
      return peer;
    },
    proxy: async (sessions = ['s1'], device_id = 'laptop', hello = {}) => {
      const peer = openPeer(core, proxyOf(device_id));
      await peer.hello({ machine_label: device_id, ...hello });
      if (sessions.length > 0) {
        peer.send({ type: 'proxy_session_snapshot', sessions: sessions.map((id) => sessionObject(id)) });
      }
      await peer.settled();
      return peer;
    },
    restart: () => createCoreHarness({ ...options, ledger, clock }),
  };
}

const refuseFenced = () => Promise.reject(new LedgerError('ledger_fenced', 'Another node is the leader.'));

/** A leader and a follower on one in-memory ledger and one bus. */
export interface NodePair {
  readonly leader: CoreHarness;
  readonly follower: CoreHarness;
  readonly ledger: Ledger;
  /** Advances the clock and completes pending work. */
  readonly pass: (ms: number) => Promise<void>;
  /** Stops the leader without a goodbye, and starts another. */
  readonly takeOver: () => Promise<CoreHarness>;
  readonly another: () => Promise<CoreHarness>;
}

export async function createNodePair(
  makeBus: (after: (ms: number, run: () => void) => void) => Bus = createLocalBus,
): Promise<NodePair> {
  const ledger = openMemoryLedger({ epoch: 'e1', synced: [] });
  const clock = createFakeClock(Date.parse(AT));
  const bus = makeBus((ms, run) => void clock.setTimeout(run, ms));
  let isCut = false;
  // A dead process neither publishes nor receives.
  const own: Bus = {
    publish: (message) => {
      if (!isCut) bus.publish(message);
    },
    request: (message, timeout_ms) => (isCut ? Promise.resolve(undefined) : bus.request(message, timeout_ms)),
    onMessage: (listener) =>
      bus.onMessage((message, acknowledge) => {
        if (!isCut) listener(message, acknowledge);
      }),
  };
  const fenced = new Proxy(ledger, {
    get: (target, name: keyof Ledger) => (name === 'commit' && isCut ? refuseFenced : target[name]),
  });
  const leader = await createCoreHarness({ ledger: fenced, clock, bus: own });
  const another = () => createCoreHarness({ ledger, clock, bus, follower: true });
  const follower = await another();
  return {
    leader,
    follower,
    ledger,
    pass: (ms) => clock.advanceAsync(ms),
    takeOver: () => {
      isCut = true;
      return createCoreHarness({ ledger, clock, bus });
    },
    another,
  };
}

export const sessionObject = (session_id: string, more: object = {}) => ({
  session_id,
  agent_type: 'codex',
  status: 'healthy',
  ...more,
});

export const sendOf = (client_message_id: string, more: object = {}): SentFrame => ({
  type: 'send_message',
  session_id: 's1',
  client_message_id,
  content: `text of ${client_message_id}`,
  created_at: AT,
  ...more,
});
