import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import {
  createFaultPlan,
  type Decision,
  type DirectionFaults,
  type FaultPlan,
} from './fault-proxy/fault-plan.ts';
import { type Direction, joinSockets, type ProxiedConnection } from './fault-proxy/proxied-connection.ts';
import { createGate } from './gate.ts';
import { listenOnLoopback } from './loopback.ts';
import { createSeededRandom } from './seeded-random.ts';

export type Faults = { readonly [direction in Direction]?: DirectionFaults };

export interface DirectionDecision {
  /** The first connection is 1. */
  readonly connection: number;
  readonly direction: Direction;
  readonly decision: Decision;
}

export interface FaultProxyOptions {
  readonly target: { readonly host: string; readonly port: number };
  readonly seed: number;
  readonly faults?: Faults;
  /** Called with each decision: the trace that a seed repeats. */
  readonly onDecision?: (decision: DirectionDecision) => void;
  /** Timer for delays: a real one unless a test passes its clock's. */
  readonly schedule?: (run: () => void, ms: number) => unknown;
}

export interface FaultProxyStats {
  readonly connections: { readonly opened: number; readonly open: number; readonly cut: number };
  /** In bytes. */
  readonly up: { readonly forwarded: number; readonly swallowed: number };
  readonly down: { readonly forwarded: number; readonly swallowed: number };
}

/** A TCP server on loopback in front of `target`, whose faults a seed repeats exactly. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const server = createServer({ allowHalfOpen: true });
  const port = await listenOnLoopback(server);
  return new FaultProxy(server, port, options);
}

export class FaultProxy implements AsyncDisposable {
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly #server: Server;
  readonly #options: FaultProxyOptions;
  readonly #gates = { up: createGate('open'), down: createGate('open') };
  readonly #counts = { up: { forwarded: 0, swallowed: 0 }, down: { forwarded: 0, swallowed: 0 } };
  readonly #open = new Map<ProxiedConnection, Record<Direction, FaultPlan>>();
  #faults: Faults;
  #opened = 0;
  #cut = 0;
  #closing: Promise<void> | undefined;

  constructor(server: Server, port: number, options: FaultProxyOptions) {
    this.port = port;
    this.#server = server;
    this.#options = options;
    this.#faults = options.faults ?? {};
    server.on('connection', (client) => this.#accept(client));
  }

  /** Replaces all faults, from the next byte on, for open connections and later ones. */
  setFaults(faults: Faults): void {
    this.#faults = faults;
    for (const plans of this.#open.values()) {
      plans.up.change(faults.up ?? {});
      plans.down.change(faults.down ?? {});
    }
  }

  /** Bytes wait until `resume`; without a direction, both ways. */
  pause(direction?: Direction): void {
    for (const each of directions(direction)) this.#gates[each].shut();
  }

  resume(direction?: Direction): void {
    for (const each of directions(direction)) this.#gates[each].open();
  }

  /** Destroys every open connection. */
  cut(): void {
    this.#cut += this.#open.size;
    this.#destroyAll();
  }

  stats(): FaultProxyStats {
    return {
      connections: { opened: this.#opened, open: this.#open.size, cut: this.#cut },
      up: { ...this.#counts.up },
      down: { ...this.#counts.down },
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(client: Socket): void {
    this.#opened += 1;
    const number = this.#opened;
    const plans = { up: this.#plan(number, 'up'), down: this.#plan(number, 'down') };
    const target = connect({ ...this.#options.target, allowHalfOpen: true });
    const connection = joinSockets(
      client,
      target,
      { up: this.#direction('up', plans.up), down: this.#direction('down', plans.down) },
      () => {
        this.#cut += 1;
      },
    );
    this.#open.set(connection, plans);
    void connection.closed.then(() => this.#open.delete(connection));
  }

  #plan(connection: number, direction: Direction): FaultPlan {
    const random = createSeededRandom(this.#options.seed).fork(`${connection} ${direction}`);
    return createFaultPlan(random, this.#faults[direction] ?? {}, (decision) =>
      this.#options.onDecision?.({ connection, direction, decision }),
    );
  }

  #direction(direction: Direction, plan: FaultPlan) {
    const { schedule = setTimeout } = this.#options;
    return { plan, gate: this.#gates[direction], schedule, counts: this.#counts[direction] };
  }

  async #shutDown(): Promise<void> {
    const closed = [...this.#open.keys()].map((connection) => connection.closed);
    closed.push(once(this.#server, 'close'));
    this.#server.close();
    this.#destroyAll();
    this.resume();
    await Promise.all(closed);
  }

  #destroyAll(): void {
    for (const connection of this.#open.keys()) connection.destroy();
  }
}

function directions(direction: Direction | undefined): Direction[] {
  return direction === undefined ? ['up', 'down'] : [direction];
}
