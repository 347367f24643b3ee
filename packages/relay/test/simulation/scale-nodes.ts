import type { Ledger } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import type { SeededRandom } from '@drawbridge/testbed';
import { FILL_EVENTS } from '../../src/core/feed.ts';
import type { Bus, BusListener, Identity, RelayCore } from '../../src/core/ports.ts';
import { createRelayCore } from '../../src/core/relay-core.ts';

export const TICK_MS = 20;
export const BASE = Date.UTC(2026, 0, 1);
const TIMES = { heartbeat_timeout_ms: 1e9, hello_ms: 1e9, send_result_ms: 60_000 };

export interface Node {
  readonly index: number;
  life: number;
  core: RelayCore | undefined;
  inbox: Parameters<BusListener>[];
  receive: BusListener | undefined;
  readonly ends: Set<() => void>;
}

interface NodesOptions {
  readonly nodes: number;
  /** Probabilities that the bus loses or repeats a message on its way to a node. */
  readonly lost: number;
  readonly repeated: number;
}

/** Timers by the tick in which they are due. */
function createWheel() {
  const due = new Map<number, Set<() => void>>();
  let now = 0;
  return {
    now: () => now,
    after: (ms: number, run: () => void): (() => void) => {
      const at = Math.max(Math.ceil((now + ms) / TICK_MS), now / TICK_MS + 1);
      const there = due.get(at) ?? new Set();
      due.set(at, there);
      const own = () => run();
      there.add(own);
      return () => {
        there.delete(own);
      };
    },
    tick: (): void => {
      now += TICK_MS;
      const at = now / TICK_MS;
      for (const run of due.get(at) ?? []) run();
      due.delete(at);
    },
  };
}

/**
 * Many nodes on one in-memory ledger, in ticks of one clock: far cheaper, and with fewer faults, than a
 * simulated world.
 */
export function createNodes(random: SeededRandom, options: NodesOptions) {
  const wheel = createWheel();
  const database = openMemoryLedger({ epoch: 'scale', synced: [] });
  const counts = { commits: 0, messages: 0, deliveries: 0, fillReads: 0, headReads: 0 };
  const problems: string[] = [];
  const nodes: readonly Node[] = Array.from({ length: options.nodes }, (_, index) => ({
    index,
    life: 0,
    core: undefined,
    inbox: [],
    receive: undefined,
    ends: new Set(),
  }));
  let leader: Node | undefined;
  let ids = 0;

  const viewOf = (isAlive: () => boolean): Ledger =>
    new Proxy(database, {
      get: (target, name: keyof Ledger) => {
        const member = target[name];
        if (typeof member !== 'function') return member;
        return (...args: never[]) => {
          if (name === 'commit') counts.commits += 1;
          if (name === 'eventsAfter' && args[2] === FILL_EVENTS) counts.fillReads += 1;
          if (name === 'heads') counts.headReads += 1;
          return new Promise((resolve, reject) => {
            Promise.resolve(Reflect.apply(member, target, args)).then(
              (value) => isAlive() && resolve(value),
              (error: unknown) => isAlive() && reject(error),
            );
          });
        };
      },
    });

  const sendToOthers = (node: Node, ...sent: Parameters<BusListener>): void => {
    counts.messages += 1;
    for (const other of nodes) {
      if (other === node || other.receive === undefined || random.chance(options.lost)) continue;
      other.inbox.push(sent);
      if (random.chance(options.repeated)) other.inbox.push(sent);
    }
  };

  const busOf = (node: Node, isAlive: () => boolean): Bus => ({
    publish: (message) => {
      if (!isAlive()) return;
      node.receive?.(message, () => {});
      sendToOthers(node, message, () => {});
    },
    request: (message, timeout_ms) =>
      new Promise((resolve) => {
        wheel.after(timeout_ms, () => resolve(undefined));
        if (!isAlive()) return;
        sendToOthers(node, message, (node_id) => {
          if (isAlive() && !random.chance(options.lost)) resolve(node_id);
        });
      }),
    onMessage: (listener) => {
      node.receive = (...received) => {
        if (isAlive()) listener(...received);
      };
      return () => {
        node.receive = undefined;
      };
    },
  });

  const start = async (node: Node, isLeader: boolean): Promise<void> => {
    const { life } = node;
    const isAlive = () => node.life === life;
    const ports = {
      ledger: viewOf(isAlive),
      bus: busOf(node, isAlive),
      clock: {
        now: () => BASE + wheel.now(),
        after: (ms: number, run: () => void) => wheel.after(ms, () => isAlive() && run()),
      },
      id: (kind: string) => {
        ids += 1;
        return `${kind}_${ids}`;
      },
      onError: (error: unknown) => problems.push(`fault on ${node.index}: ${error}`),
    };
    const core = await createRelayCore(ports, TIMES, isLeader ? 'leader' : 'follower');
    if (isAlive()) node.core = core;
    if (isLeader) leader = node;
  };

  const kill = (node: Node): void => {
    if (node === leader) leader = undefined;
    node.life += 1;
    node.core = undefined;
    node.receive = undefined;
    node.inbox = [];
    for (const end of node.ends) end();
    node.ends.clear();
  };

  const connect = (
    node: Node | undefined,
    identity: Identity,
    receive: (text: string) => void,
    gone: () => void,
  ) => {
    if (node?.core === undefined) return undefined;
    const { life, core, ends } = node;
    ends.add(gone);
    return core.connect({
      identity,
      send: (text) => {
        if (node.life === life) receive(text);
        return true;
      },
      drained: () => Promise.resolve(),
      close: () => {
        if (ends.delete(gone)) gone();
      },
    });
  };

  const promisesSettled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= TICK_MS) {
      for (const node of nodes) {
        const { inbox } = node;
        if (inbox.length === 0) continue;
        node.inbox = [];
        counts.deliveries += inbox.length;
        for (const each of inbox) node.receive?.(...each);
      }
      wheel.tick();
      await promisesSettled();
    }
  };
  return {
    ...{ wheel, database, counts, problems, nodes, start, kill, connect, pass },
    currentLeader: () => leader,
  };
}
