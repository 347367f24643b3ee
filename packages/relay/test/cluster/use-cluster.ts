import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Nats, startNats, startPostgres, type TestPostgres } from '@drawbridge/testbed';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type NodeOptions, type RelayNode, startNode } from '../../src/cluster/start-node.ts';
import type { ContractHarness } from '../contract/contract-harness.ts';
import { type Device, openPeer, type Peer } from '../contract/peer.ts';

/** Nodes of one ledger and one bus in this process; the first started one is the leader. */
export interface Cluster {
  readonly node: (number: number) => RelayNode;
  readonly nats: () => Nats;
  readonly postgres: () => TestPostgres;
  readonly device: ContractHarness['device'];
  /** Harness of that node. */
  readonly at: (number: number) => Pick<ContractHarness, 'device' | 'connect'>;
}

/** Call once, at the top of a file. */
export function useCluster(
  count: number,
  options: Partial<NodeOptions> | ((number: number) => Partial<NodeOptions>) = {},
): Cluster {
  const nodes: RelayNode[] = [];
  const peers = new Set<Peer>();
  const ended = new AsyncDisposableStack();
  let servers: { readonly nats: Nats; readonly postgres: TestPostgres } | undefined;

  const there = () => {
    if (servers === undefined) throw new Error('The cluster runs within tests only.');
    return servers;
  };
  const node = (number: number): RelayNode => {
    const found = nodes[number];
    if (found === undefined) throw new Error(`There is no node ${number}.`);
    return found;
  };

  beforeAll(async () => {
    const [nats, postgres] = await Promise.all([startNats(), startPostgres()]);
    ended.use(postgres);
    ended.use(nats);
    servers = { nats, postgres };
    for (let number = 0; number < count; number += 1) {
      const data = await mkdtemp(join(tmpdir(), 'cluster-'));
      ended.defer(() => rm(data, { recursive: true, force: true }));
      const own = typeof options === 'function' ? options(number) : options;
      nodes.push(await startNode({ port: 0, data, database: postgres.url, bus: nats.url, ...own }));
    }
  });
  afterEach(async () => {
    await Promise.all([...peers].map((peer) => peer.cut()));
    peers.clear();
  });
  afterAll(async () => {
    await Promise.all(nodes.map((each) => each.close()));
    await ended.disposeAsync();
  });

  const device: ContractHarness['device'] = async (role, { scopes = [], label = `a ${role}` } = {}) => {
    const minted = await node(0).devices.mint({ roles: [role], scopes, label, by: 'machine' });
    return { device_id: minted.device.device_id, token: minted.token, role };
  };
  const connectAt =
    (number: number): ContractHarness['connect'] =>
    async (who, hello = {}) => {
      const own: Device | undefined =
        typeof who === 'object' ? who : who === 'stranger' ? undefined : await device(who);
      const peer = await openPeer(node(number).url, own, () => false);
      peers.add(peer);
      if (hello === null) return peer;
      const peer_role = own?.role === 'proxy' ? 'proxy' : 'browser';
      peer.send({ type: 'connection_hello', peer_role, client_name: 'test', ...hello });
      await peer.next('connection_ack');
      return peer;
    };
  return {
    node,
    nats: () => there().nats,
    postgres: () => there().postgres,
    device,
    at: (number) => ({ device, connect: connectAt(number) }),
  };
}
