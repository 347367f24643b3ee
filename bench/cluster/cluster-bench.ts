import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Nats, startNats, startPostgres, type TestPostgres } from '@drawbridge/testbed';
import { type Child, startChild } from '../relay/child.ts';
import type { NodeCalls } from './node-program.ts';

/** A database, a bus and the requested number of nodes, each in a separate process. */
export interface ClusterBench extends AsyncDisposable {
  readonly folder: string;
  readonly postgres: TestPostgres;
  readonly nats: Nats;
  readonly nodes: readonly BenchNode[];
  /** Starts nodes until there are `count`. */
  readonly grow: (count: number) => Promise<void>;
}

export interface BenchNode extends Child<NodeCalls> {
  readonly url: string;
}

export async function openClusterBench(): Promise<ClusterBench> {
  const ended = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bench-'));
  ended.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = ended.use(await startPostgres({ settings: { shared_buffers: '256MB' } }));
  const nats = ended.use(await startNats());
  const nodes: BenchNode[] = [];
  ended.defer(async () => void (await Promise.all(nodes.map(({ end }) => end('SIGKILL')))));
  return {
    ...{ folder, postgres, nats, nodes },
    async grow(count) {
      while (nodes.length < count) {
        const data = join(folder, `node-${nodes.length}`);
        const input = { data, database: postgres.url, bus: nats.url };
        const child = await startChild<NodeCalls>('./node-program.ts', input);
        nodes.push({ ...child, ...(await child.call('place', undefined)) });
      }
    },
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}
