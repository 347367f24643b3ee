import { once } from 'node:events';
import { setTimeout as passed } from 'node:timers/promises';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { median, printTable } from '../measure.ts';
import { dial, greet } from '../relay/peer.ts';
import type { BenchNode, ClusterBench } from './cluster-bench.ts';

const AIM = { value: 1_000 };
const LOOK_MS = 50;

/** Time from revoking a device on one node until its sockets are closed on all, with and without the bus. */
export async function playRevocation(
  { nodes, nats }: ClusterBench,
  count: number,
): Promise<readonly Figure[]> {
  const [leader] = nodes;
  if (leader === undefined) throw new Error('There is no node.');
  const [owner = ''] = await leader.call('mint', [{ role: 'owner' }]);
  const byBus: number[] = [];
  for (let n = 0; n < count; n += 1) {
    byBus.push(await revokedMs(nodes, nodes[n % nodes.length] ?? leader, owner));
  }
  await nats.stop();
  const byLook: number[] = [];
  for (let n = 0; n < count; n += 1) byLook.push(await revokedMs(nodes, leader, owner));
  await nats.start();
  await Promise.all(nodes.map(ready));

  const rows = [
    ['with the bus', byBus],
    ['without it', byLook],
  ] as const;
  printTable(
    ['a revoked device is out at every node', 'p50 ms', 'slowest ms'],
    rows.map(([name, ms]) => [name, median(ms).toFixed(0), Math.max(...ms).toFixed(0)]),
  );
  const rest = { unit: 'ms', better: 'less', aim: AIM } as const;
  const how = `the slowest of ${count}, each with a socket at each of ${nodes.length} nodes`;
  return [
    figure({
      ...rest,
      id: 'cluster.revocation',
      what: 'a device that is revoked at one node is out at all',
      ours: Math.max(...byBus),
      how,
    }),
    figure({
      ...rest,
      id: 'cluster.revocation.no-bus',
      what: 'the same while the bus is away',
      ours: Math.max(...byLook),
      how,
    }),
  ];
}

async function revokedMs(nodes: readonly BenchNode[], at: BenchNode, owner: string): Promise<number> {
  const [token = ''] = await at.call('mint', [{ role: 'person' }]);
  const { device_id } = await (await fetch(`${at.url}/api/me`, bearer(token))).json();
  const sockets = await Promise.all(nodes.map(({ url }) => dial(url, token)));
  await Promise.all(sockets.map((socket) => greet(socket, 'browser')));
  const began = performance.now();
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
  const path = `${at.url}/api/devices/${device_id}`;
  const { status } = await fetch(path, { method: 'DELETE', ...bearer(owner) });
  if (status !== 204) throw new Error(`a device could not be revoked: ${status}`);
  await closed;
  return performance.now() - began;
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function ready({ url }: BenchNode): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await passed(LOOK_MS);
}
