import type { MemoryDisk } from '@drawbridge/ledger/memory';
import type { SeededRandom } from '@drawbridge/testbed';
import type { CorePorts, CoreTimes, Identity } from '../../src/core/ports.ts';
import { type Browser, type BrowserTraits, createBrowser } from './browser.ts';
import { createCluster } from './cluster.ts';
import { takeStep } from './faults.ts';
import { createProxy, type ModelProxy, type ProxyTraits } from './proxy.ts';
import {
  CALM_DISK,
  type CreateCore,
  createRelayProcess,
  type DiskMood,
  type RelayOptions,
  type RelayProcess,
} from './relay-process.ts';
import { createSimulationContext, type SimulationContext } from './simulation-context.ts';
import { createUnauthenticated, type Unauthenticated } from './unauthenticated.ts';

/** The core under test, and the parts that a mutant replaces. */
export interface Subject {
  readonly createCore: CreateCore;
  readonly createBus: (random: SeededRandom) => CorePorts['bus'];
  readonly lies?: boolean;
  /** The world has three nodes, one of them the leader. */
  readonly isCluster?: boolean;
}

export interface Simulation {
  readonly context: SimulationContext;
  readonly relay: RelayProcess;
  readonly disk: MemoryDisk;
  readonly mood: DiskMood;
  readonly browsers: readonly Browser[];
  readonly proxies: readonly ModelProxy[];
  readonly unauthenticated: Unauthenticated;
  readonly revoked: Set<string>;
  readonly boot: () => void;
}

export interface Run extends Simulation {
  readonly seed: number;
  readonly traceHash: string;
}

/** Short, so that a run lives through all of them. */
export const TIMES: CoreTimes = {
  heartbeat_interval_ms: 25_000,
  heartbeat_timeout_ms: 60_000,
  hello_ms: 5_000,
  launch_ms: 15_000,
  answer_ms: 10_000,
  send_result_ms: 20_000,
  queue_ms: 90_000,
};

const STEPS = 150;
/** Long enough to notice a dead connection and then expire a queued send. */
const CALM_MS = 200_000;
const NODES = 3;
export const ONLY_SESSION = 'sess_shared';

const DEVICES: readonly Identity[] = [
  { device_id: 'phone', roles: ['owner'], label: 'Phone', scopes: [] },
  { device_id: 'laptop', roles: ['person'], label: 'Laptop', scopes: [] },
  { device_id: 'guest', roles: ['person'], label: 'Guest', scopes: [`session:${ONLY_SESSION}`] },
  { device_id: 'desk', roles: ['proxy'], label: 'Desk', scopes: [] },
  { device_id: 'tower', roles: ['proxy'], label: 'Tower', scopes: [] },
];

const LABELS = ['desk', 'tower'];

export async function runSeed(
  seed: number,
  subject: Subject,
  onTrace?: (line: string) => void,
): Promise<Run> {
  const simulation = createSimulation(seed, subject, onTrace);
  const { context } = simulation;
  simulation.boot();
  for (const each of [...simulation.proxies, ...simulation.browsers]) each.start();
  await context.pass(1_000);
  const step = takeStep(simulation);
  for (let count = 0; count < STEPS; count += 1) {
    step();
    await context.pass(context.random.int(1, context.random.chance(0.7) ? 60 : 2_000));
  }
  calm(simulation);
  await context.pass(CALM_MS);
  return { ...simulation, seed, traceHash: context.traceHash() };
}

function createSimulation(seed: number, subject: Subject, onTrace?: (line: string) => void): Simulation {
  const context = createSimulationContext(seed, onTrace);
  const { random } = context;
  const mood: DiskMood = { ...CALM_DISK, delay_ms: random.pick([1, 5, 30]) };
  const disk: MemoryDisk = { epoch: `epoch-${seed}`, synced: [] };
  const options: RelayOptions = {
    createCore: subject.createCore,
    createBus: subject.createBus,
    times: TIMES,
    weather: { latency_ms: random.pick([3, 30, 150]), spikes: random.pick([0, 0.01, 0.05]) },
    disk,
    mood,
    lies: subject.lies ?? false,
    maxUnread: random.pick([6, 40, 1_000]),
  };
  const relay = subject.isCluster
    ? createCluster(context, { ...options, nodes: NODES })
    : createRelayProcess(context, options);
  const revoked = new Set<string>();
  const dialer = (device_id: string) => () =>
    revoked.has(device_id) ? undefined : relay.dial(DEVICES.find((each) => each.device_id === device_id));
  const boot = (): void => {
    relay.start().catch((error: unknown) => {
      context.trace('relay could not start', String(error));
      relay.crash([]);
      context.after(1_000, boot);
    });
  };
  return {
    context,
    relay,
    disk,
    mood,
    browsers: browserTraits(random).map((traits) =>
      createBrowser(context, traits, dialer(traits.device_id), LABELS, (wanted) => {
        const identity = DEVICES.find(({ device_id }) => device_id === traits.device_id);
        if (identity !== undefined && !revoked.has(traits.device_id)) relay.schedule(identity, wanted);
      }),
    ),
    proxies: proxyTraits(random).map((traits) => createProxy(context, traits, dialer(traits.device_id))),
    unauthenticated: createUnauthenticated(context, () => relay.dial(undefined)),
    revoked,
    boot,
  };
}

function browserTraits(random: SeededRandom): readonly BrowserTraits[] {
  const features = () => ['queue', 'prompt_answered', 'lagging'].filter(() => random.chance(0.5));
  return [
    { name: 'phone', device_id: 'phone', client_id: undefined, features: features() },
    { name: 'tab1', device_id: 'laptop', client_id: 'tab1', features: features() },
    { name: 'tab2', device_id: 'laptop', client_id: 'tab2', features: features() },
    { name: 'guest', device_id: 'guest', client_id: undefined, features: features() },
  ].filter(() => random.chance(0.8));
}

function proxyTraits(random: SeededRandom): readonly ProxyTraits[] {
  const habits = () => ({ journal: random.chance(0.5), echoes: random.chance(0.5) });
  return [
    { name: 'desk', device_id: 'desk', machine_label: 'desk', sessions: [ONLY_SESSION], ...habits() },
    { name: 'tower', device_id: 'tower', machine_label: 'tower', sessions: [], ...habits() },
  ];
}

/** Ends all faults; every client that may reconnect does. */
function calm({ context, relay, mood, browsers, proxies, unauthenticated, revoked, boot }: Simulation): void {
  context.trace('calm');
  Object.assign(mood, CALM_DISK);
  if (!relay.isUp()) {
    relay.crash([]);
    boot();
  }
  unauthenticated.leave();
  for (const { peer } of [...browsers, ...proxies]) {
    for (const side of ['client', 'relay'] as const) peer.line()?.hold(side, false);
  }
  for (const each of proxies) each.settle();
  for (const each of browsers) if (!revoked.has(each.traits.device_id)) each.start();
}
