import { type Ledger, LedgerError } from '@drawbridge/ledger';
import type { SeededRandom } from '@drawbridge/testbed';
import type { Identity, RelayCore } from '../../src/core/ports.ts';
import { createClusterBus } from './cluster-bus.ts';
import { createLine, type Line, type Side } from './line.ts';
import {
  acceptLine,
  openDisk,
  type RelayLog,
  type RelayOptions,
  type RelayProcess,
  scheduleOn,
} from './relay-process.ts';
import type { SimulationContext } from './simulation-context.ts';

interface Node {
  readonly name: string;
  life: number;
  /** The life in which the node was started. */
  started: number;
  core: RelayCore | undefined;
  readonly lines: Map<Line, Identity | undefined>;
}

export interface ClusterOptions extends RelayOptions {
  readonly nodes: number;
}

/** How long a dead leader still holds the lease. */
const LEASE_MS = 4_000;
const CHECK_MS = 500;

/** Several nodes as processes on one database and one bus; to its users one relay that fails in more ways. */
export function createCluster(context: SimulationContext, options: ClusterOptions): RelayProcess {
  const random: SeededRandom = context.random.fork('cluster');
  const log: RelayLog = { scheduled: [], synced: [], faults: [], starts: [], dismissed: new Map() };
  const weather = { latency_ms: random.pick([2, 10, 60]), lost: random.pick([0, 0.05, 0.15]), repeated: 0.1 };
  const bus = createClusterBus(context, random, weather);
  const database = openDisk(context, options, log, () => {
    context.stir();
    return true;
  });
  const nodes: readonly Node[] = Array.from({ length: options.nodes }, (_, index) => ({
    name: `node${index}`,
    life: 0,
    started: -1,
    core: undefined,
    lines: new Map(),
  }));
  let leader: Node | undefined;
  let term = 0;
  let electing = false;

  const upNodes = () => nodes.filter(({ core }) => core !== undefined);

  /** The database as a process sees it: its requests are done although it dies, and the answer is dropped. */
  const viewOf = (isAlive: () => boolean, mayCommit: () => boolean): Ledger =>
    new Proxy(database, {
      get: (target, name: keyof Ledger) => {
        const member = target[name];
        if (typeof member !== 'function') return member;
        return (...args: never[]) =>
          new Promise((resolve, reject) => {
            const answer = (emit: () => void): void => {
              context.after(random.int(0, 2), emit, () => {
                context.stir();
                return isAlive();
              });
            };
            context.stir();
            if (name === 'commit' && !mayCommit()) {
              answer(() => reject(new LedgerError('ledger_fenced', 'Another node is the leader.')));
              return;
            }
            Promise.resolve(Reflect.apply(member, target, args)).then(
              (value) => answer(() => resolve(value)),
              (error: unknown) => answer(() => reject(error)),
            );
          });
      },
    });

  const end = (node: Node, hears: readonly Side[]): void => {
    node.life += 1;
    node.core = undefined;
    for (const line of node.lines.keys()) line.cut(hears);
    node.lines.clear();
  };

  const run = async (node: Node, isLeader: boolean): Promise<void> => {
    const { life } = node;
    const mine = term;
    const isAlive = () => node.life === life;
    const stirring = () => {
      context.stir();
      return isAlive();
    };
    context.trace(node.name, isLeader ? 'is the leader' : 'is a follower');
    if (isLeader) log.starts.push(context.order());
    const core = await options.createCore(
      {
        ledger: viewOf(isAlive, () => !isLeader || term === mine),
        clock: { now: context.wall, after: (ms, work) => context.after(ms, work, stirring) },
        id: context.id,
        bus: bus.join(isAlive),
        onError: (error) => {
          context.trace('fault', node.name, String(error));
          log.faults.push(error);
        },
      },
      options.times,
      isLeader ? 'leader' : 'follower',
    );
    if (isAlive()) node.core = core;
  };

  const start = (node: Node, isLeader = false): void => {
    if (node.started === node.life) return;
    node.started = node.life;
    run(node, isLeader).catch((error: unknown) => {
      context.trace(node.name, 'could not start', String(error));
      end(node, []);
      if (leader === node) loseLeadership();
      context.after(1_000, () => start(node));
    });
  };

  /** The leader steps down; another takes over when the lease ends. */
  const loseLeadership = (): void => {
    leader = undefined;
    if (electing) return;
    electing = true;
    const elect = (): void => {
      const [node] = random.shuffle(upNodes());
      const follower = node?.core;
      if (node === undefined || follower === undefined) {
        context.after(CHECK_MS, elect);
        return;
      }
      electing = false;
      term += 1;
      leader = node;
      const { life } = node;
      node.core = undefined;
      context.stir();
      void follower.stop().then(() => {
        if (node.life !== life) return;
        end(node, ['client']);
        start(node, true);
      });
    };
    context.after(random.int(CHECK_MS, LEASE_MS), elect);
  };

  const kill = (node: Node, hears: readonly Side[]): void => {
    context.trace(node.name, 'dies');
    end(node, hears);
    if (node === leader) loseLeadership();
  };

  /** Acts as the leader for a while, with every commit fenced. */
  const outlive = (node: Node): void => {
    context.trace(node.name, 'has lost the lease');
    const { life } = node;
    term += 1;
    loseLeadership();
    context.after(random.int(1, 3_000), () => {
      if (node.life !== life || node === leader) return;
      end(node, ['client']);
      start(node);
    });
  };

  const cutBus = (): void => {
    context.trace('the bus is away');
    bus.setUp(false);
    context.after(random.int(100, 8_000), () => {
      bus.setUp(true);
      context.trace('the bus is back');
      context.stir();
      for (const { core } of upNodes()) {
        void core?.resync();
        // Like a server that has missed revocations for a while.
        for (const device_id of revoked) core?.dismiss(device_id);
      }
    });
  };

  const revoked = new Set<string>();
  /** Runs on the leader; without one, retries. */
  const revoke = (device_id: string): void => {
    if (leader?.core === undefined) {
      context.after(CHECK_MS, () => revoke(device_id));
      return;
    }
    context.stir();
    leader.core.revoke(device_id);
    watchDismissal(device_id);
  };
  const watchDismissal = (device_id: string): void => {
    const isHere = nodes.some(({ lines }) =>
      [...lines].some(([line, identity]) => line.relay.isOpen() && identity?.device_id === device_id),
    );
    if (isHere) context.after(CHECK_MS, () => watchDismissal(device_id));
    else log.dismissed.set(device_id, context.order());
  };

  return {
    log,
    isUp: () => leader?.core !== undefined && upNodes().length === nodes.length && bus.isUp(),
    start: async () => {
      bus.setUp(true);
      for (const node of nodes) if (node !== leader) start(node);
      if (leader === undefined) loseLeadership();
    },
    stop: (then) => {
      const [node] = random.shuffle(upNodes());
      if (node === undefined) return;
      const { life } = node;
      context.trace(node.name, 'stops');
      context.stir();
      void node.core?.stop().then(() => {
        if (node.life !== life) return;
        kill(node, ['client']);
        then();
      });
    },
    crash: (hears) => {
      const what = random.pick(['kill', 'kill_leader', 'outlive', 'bus'] as const);
      const [node] = random.shuffle(upNodes());
      if (what === 'bus') cutBus();
      else if (what === 'outlive' && leader?.core !== undefined) outlive(leader);
      else if (what === 'kill_leader' && leader?.core !== undefined) kill(leader, hears);
      else if (node !== undefined) kill(node, hears);
    },
    dial: (identity) => {
      const up = upNodes();
      const node = identity?.roles.includes('proxy') ? leader : up.length > 0 ? random.pick(up) : undefined;
      if (node?.core === undefined) return undefined;
      const line = createLine(context, options.weather);
      node.lines.set(line, identity);
      const { core, lines } = node;
      acceptLine(context, {
        core,
        identity,
        line,
        maxUnread: options.maxUnread,
        onClosed: () => lines.delete(line),
      });
      return line;
    },
    dismiss: (device_id) => {
      revoked.add(device_id);
      revoke(device_id);
    },
    schedule: (by, wanted) => scheduleOn(context, leader?.core, log, by, wanted),
  };
}
