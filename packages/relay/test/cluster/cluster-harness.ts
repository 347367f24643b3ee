import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type FaultProxy,
  type Nats,
  startFaultProxy,
  startNats,
  startPostgres,
  type TestPostgres,
} from '@drawbridge/testbed';
import type { NodeOptions } from '../../src/cluster/start-node.ts';
import type { Minting, RelayLives } from '../crash/relay-lives.ts';

const PROGRAM = fileURLToPath(new URL('./node-program.ts', import.meta.url));

/** Nodes as processes on a real PostgreSQL and a real NATS, to be killed and stopped at will. */
export interface ClusterHarness extends AsyncDisposable {
  readonly folder: string;
  readonly postgres: TestPostgres;
  readonly nats: Nats;
  /** Fault proxy between the nodes and NATS. */
  readonly busProxy: FaultProxy;
  /** Starts the node of that index, also after a kill; resolves with the tokens once it listens. */
  readonly begin: (index: number, mint?: readonly Minting[]) => Promise<readonly string[]>;
  readonly kill: (index: number) => Promise<void>;
  /** Stops a node as a service manager does. */
  readonly stop: (index: number) => Promise<void>;
  /** SIGSTOP and SIGCONT: like a machine that hangs, and wakes up with stale beliefs. */
  readonly freeze: (index: number) => void;
  readonly thaw: (index: number) => void;
  /** Moves a node's wall clock forward or back. */
  readonly jump: (index: number, ms: number) => void;
  /** Nodes that run and are not frozen. */
  readonly living: () => readonly number[];
  readonly urlOf: (index: number) => string;
  /** Waits for a node that has opened the leader role, and returns its index. */
  readonly leader: () => Promise<number>;
  /** For the clients of `crash`: each reconnect goes to the next living node among `places`. */
  readonly lives: (indexes: readonly number[]) => Pick<RelayLives, 'url'>;
}

type Program = ChildProcessByStdio<Writable, Readable, null>;

interface Loaded {
  readonly child: Program;
  readonly next: () => Promise<Answer>;
}

interface Life {
  readonly child: Program;
  readonly url: string;
  isFrozen: boolean;
}

/** Keeps clients from hammering a starting node. */
const COME_BACK_MS = 50;
const LOOK_MS = 50;

export type HarnessOptions = Pick<NodeOptions, 'lease' | 'times' | 'limits'>;

export async function startClusterHarness(options: HarnessOptions = {}): Promise<ClusterHarness> {
  const ended = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-stand-'));
  ended.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = ended.use(await startPostgres());
  const nats = ended.use(await startNats());
  const { hostname, port } = new URL(nats.url);
  const busProxy = ended.use(
    await startFaultProxy({ target: { host: hostname, port: Number(port) }, seed: 1 }),
  );
  const lives = new Map<number, Life>();
  const all = new Set<Program>();
  ended.defer(() => {
    for (const child of all) child.kill('SIGKILL');
  });

  const load = (): Loaded => {
    const child = spawn(process.execPath, [PROGRAM], {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    all.add(child);
    // A write to a killed process fails, and that is expected.
    child.stdin.on('error', () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<Answer> => {
      const { value } = await lines.next();
      if (value === undefined) throw new Error('A node ended before it was killed.');
      return trustAnswer(value);
    };
    return { child, next };
  };
  /** Loading the modules takes longer than most lives of a node, so the next process is loaded in advance. */
  let spare = load();

  const begin: ClusterHarness['begin'] = async (index, mint = []) => {
    const { child, next } = spare;
    spare = load();
    await next();
    const bus = `nats://${busProxy.host}:${busProxy.port}`;
    const order = { port: 0, data: join(folder, `node-${index}`), database: postgres.url, bus };
    child.stdin.write(`${JSON.stringify({ ...order, ...options, mint })}\n`);
    const { url, tokens } = await next();
    lives.set(index, { child, url, isFrozen: false });
    return tokens;
  };

  const lifeOf = (index: number): Life => {
    const life = lives.get(index);
    if (life === undefined) throw new Error(`Node ${index} does not live.`);
    return life;
  };
  const end = async (index: number, how: (life: Life) => void): Promise<void> => {
    const life = lifeOf(index);
    lives.delete(index);
    const over = once(life.child, 'exit');
    how(life);
    await over;
    all.delete(life.child);
  };
  const living = (): readonly number[] =>
    [...lives].flatMap(([index, { isFrozen }]) => (isFrozen ? [] : [index])).toSorted((a, b) => a - b);

  return {
    ...{ folder, postgres, nats, busProxy, begin, living },
    kill: (index) => end(index, ({ child }) => child.kill('SIGKILL')),
    stop: (index) => end(index, ({ child }) => child.stdin.end('\n')),
    freeze(index) {
      const life = lifeOf(index);
      life.isFrozen = true;
      life.child.kill('SIGSTOP');
    },
    thaw(index) {
      const life = lifeOf(index);
      life.child.kill('SIGCONT');
      life.isFrozen = false;
    },
    jump: (index, ms) => void lifeOf(index).child.stdin.write(`${JSON.stringify({ jump: ms })}\n`),
    urlOf: (index) => lifeOf(index).url,
    async leader() {
      for (;;) {
        for (const index of living()) {
          const figures = await fetch(`${lifeOf(index).url}/metrics`).then(
            (response) => response.text(),
            () => '',
          );
          if (figures.includes('drawbridge_is_leader 1\n')) return index;
        }
        await passed(LOOK_MS);
      }
    },
    lives(indexes) {
      let turn = 0;
      return {
        async url() {
          await passed(COME_BACK_MS);
          for (;;) {
            const there = living().filter((index) => indexes.includes(index));
            const index = there[turn % Math.max(1, there.length)];
            turn += 1;
            if (index !== undefined) return lifeOf(index).url;
            await passed(LOOK_MS);
          }
        },
      };
    },
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}

interface Answer {
  readonly url: string;
  readonly tokens: readonly string[];
}

function trustAnswer(line: string): Answer {
  return JSON.parse(line);
}
