import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '@drawbridge/ledger';
import type { ChatFrame } from '@drawbridge/protocol';
import { createFakeClock, type FakeClock } from '@drawbridge/testbed';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Role } from '../../src/core/ports.ts';
import type { RelayOptions } from '../../src/server/options.ts';
import { coreClock } from '../server/test-relay.ts';
import {
  type ContractCluster,
  type ContractRelay,
  isCluster,
  openCluster,
  startAlone,
} from './contract-relay.ts';
import { sessionObject } from './frames.ts';
import { type Device, type Loose, openPeer, type Peer, sessionOf } from './peer.ts';

export interface DeviceOptions {
  readonly scopes?: readonly string[];
  readonly label?: string;
}

/** A proxy that has announced a session, and a person who watches it. */
export interface SessionFixture {
  readonly session_id: string;
  readonly proxy: Peer;
  readonly person: Peer;
}

export interface SessionFixtureOptions {
  readonly proxy?: Loose;
  readonly person?: Loose;
  readonly session?: Loose;
}

/** One relay for the tests of a file, on a fake clock. Every test uses new sessions. */
export interface ContractHarness {
  readonly relay: ContractRelay;
  readonly clock: FakeClock;
  readonly device: (role: Role, options?: DeviceOptions) => Promise<Device>;
  /** Sends a hello with these fields changed, and awaits its acknowledgement; `null` sends no hello. */
  readonly connect: (who: Role | 'stranger' | Device, hello?: Loose | null) => Promise<Peer>;
  readonly session: (options?: SessionFixtureOptions) => Promise<SessionFixture>;
  /** Reconnects the device of a proxy with its session. */
  readonly comeBack: (openSession: SessionFixture) => Promise<Peer>;
  /** Waits until pending work is stored: the ledger answers in order, so two round trips flush everything. */
  readonly idle: () => Promise<void>;
  /** Stops the relay and starts it again on the same data. */
  readonly restart: () => Promise<void>;
}

let names = 0;
let past = 0;
/** An id that no other test uses. */
export const fresh = (kind: string): string => {
  names += 1;
  return `${kind}_${names}`;
};

/** True for a session of an earlier test, whose last events may still arrive. */
const isPast = (frame: ChatFrame): boolean => {
  const [, number] = /^session_(\d+)$/.exec(sessionOf(frame) ?? '') ?? [];
  return number !== undefined && Number(number) <= past;
};

export const NOW = Date.parse('2026-01-01T00:00:00.000Z');

export interface ContractHarnessOptions extends Partial<RelayOptions> {
  /** Wraps the relay's ledger. */
  readonly store?: (ledger: Ledger) => Ledger;
  /** True for tests that need the leader's process. */
  readonly alone?: boolean;
}

/** Call once, at the top of a file or a `describe`. */
export function useRelay({
  store,
  alone = store !== undefined,
  ...options
}: ContractHarnessOptions = {}): ContractHarness {
  const clock = createFakeClock(NOW);
  const peers = new Set<Peer>();
  let running: { readonly relay: ContractRelay; readonly data: string } | undefined;
  let cluster: ContractCluster | undefined;

  const start = async (data: string): Promise<void> => {
    if (isCluster && !alone) cluster ??= await openCluster();
    const order = { port: 0, data, clock: coreClock(clock), store, ...options };
    running = { relay: await (cluster?.start ?? startAlone)(order), data };
  };
  const stop = async (): Promise<string> => {
    const { relay, data } = harness();
    await relay.close();
    return data;
  };
  const harness = () => {
    if (running === undefined) throw new Error('The relay runs within tests only.');
    return running;
  };
  const hangUp = async (): Promise<void> => {
    await Promise.all([...peers].map((peer) => peer.cut()));
    peers.clear();
    past = names;
  };

  beforeAll(async () => start(await mkdtemp(join(tmpdir(), 'contract-'))));
  afterEach(hangUp);
  afterAll(async () => {
    await rm(await stop(), { recursive: true, force: true });
    await cluster?.[Symbol.asyncDispose]();
  });

  const device: ContractHarness['device'] = async (role, { scopes = [], label = `a ${role}` } = {}) => {
    const minted = await harness().relay.devices.mint({ roles: [role], scopes, label, by: 'machine' });
    return { device_id: minted.device.device_id, token: minted.token, role };
  };

  const connect: ContractHarness['connect'] = async (who, hello = {}) => {
    const own = typeof who === 'object' ? who : who === 'stranger' ? undefined : await device(who);
    const { url, idle } = harness().relay;
    const peer = await openPeer(url, own, isPast, cluster && idle);
    peers.add(peer);
    if (hello === null) return peer;
    const peer_role = own?.role === 'proxy' ? 'proxy' : 'browser';
    peer.send({ type: 'connection_hello', peer_role, client_name: 'test', ...hello });
    await peer.next('connection_ack');
    return peer;
  };

  const session: ContractHarness['session'] = async (hellos = {}) => {
    const session_id = fresh('session');
    const person = await connect('person', hellos.person);
    const proxy = await connect('proxy', hellos.proxy);
    proxy.send({ type: 'proxy_session_snapshot', sessions: [sessionObject(session_id, hellos.session)] });
    await person.next('session_up', { session: { session_id } });
    return { session_id, proxy, person };
  };

  const comeBack: ContractHarness['comeBack'] = async ({ proxy: { device: own }, session_id }) => {
    const proxy = await connect(own ?? 'proxy');
    proxy.send({ type: 'proxy_session_snapshot', sessions: [sessionObject(session_id)] });
    await proxy.settled();
    return proxy;
  };

  return {
    get relay() {
      return harness().relay;
    },
    clock,
    device,
    connect,
    session,
    comeBack,
    idle: () => harness().relay.idle(),
    restart: async () => start(await stop()),
  };
}

/** Adds an event after everything begun before: frames that have not come by then will not. */
export async function marked(openSession: SessionFixture): Promise<void> {
  await mark(openSession);
  // From one node to the other and back: frames that the first mark overtook come before the second.
  if (isCluster) await mark(openSession);
}

async function mark({ session_id, proxy, person }: SessionFixture): Promise<void> {
  await person.settled();
  const label = fresh('mark');
  proxy.send({ type: 'proxy_status', session_id, activity: { kind: 'thinking', label } });
  await person.next('session_status', { session_id, activity: { label } });
  await proxy.settled();
}

/** Types of a session's frames other than marks. */
export const typesAbout = (peer: Peer, session_id: string): readonly string[] =>
  peer
    .about(session_id)
    .filter((frame) => !(frame.type === 'session_status' && frame.activity?.label?.startsWith('mark_')))
    .map(({ type }) => type);
