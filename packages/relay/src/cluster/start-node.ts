import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '@drawbridge/link';
import { openNatsBus } from '../bus/nats-bus.ts';
import { openPostgresLedger, type PostgresLedger } from '../ledger/postgres/postgres-ledger.ts';
import { allOrNothing } from '../server/all-or-nothing.ts';
import { openFileTable } from '../server/files/file-table.ts';
import { openGround } from '../server/ground.ts';
import { pathOf } from '../server/guard/open-paths.ts';
import { REFUSALS } from '../server/guard/refusal.ts';
import { guardOf, isWildcard, listen, ownUrl, refuseOpenAddress } from '../server/listener.ts';
import type { RelayOptions } from '../server/options.ts';
import { DEFAULT_PORT, STOP_MS } from '../server/start-relay.ts';
import { openBranch } from './branch-stage.ts';
import { openClusterSecret } from './cluster-secrets.ts';
import { createDeviceSpread } from './device-spread.ts';
import { knownDevices, watchDevices } from './device-watch.ts';
import { openKeptHouse } from './house-stage.ts';
import { holdKeeperLease, type Keeping, type LeaseTimes } from './keeper-lease.ts';
import { type NodeDevices, openNodeDevices } from './node-devices.ts';
import type { NodeGround } from './node-ground.ts';
import { nodeUrl } from './node-line.ts';
import { createPassingSeal } from './passed-on.ts';
import { createPassingOn, refuseUpgrade, unavailable } from './passing-on.ts';
import { shareFailures } from './shared-failures.ts';
import { shareProofs } from './shared-proofs.ts';
import { createTenure } from './tenure.ts';

export interface NodeOptions extends Omit<RelayOptions, 'ledger'> {
  /** `postgres://…`, the ledger that the nodes share. */
  readonly database: string;
  /** `nats://…`, or several, separated by commas. */
  readonly bus: string;
  /** Address at which the other nodes reach this one; by default that of its listener. */
  readonly nodeUrl?: string;
  readonly lease?: Partial<LeaseTimes>;
}

/** One of several relays with one ledger and one bus. */
export interface RelayNode extends AsyncDisposable {
  readonly node_id: string;
  readonly url: string;
  readonly port: number;
  readonly fingerprint: string | undefined;
  readonly ledger: PostgresLedger;
  readonly devices: NodeDevices;
  readonly keeping: () => Keeping;
  /** True when the leader role is open here. */
  readonly keepsHouse: () => boolean;
  readonly isReady: () => Promise<boolean>;
  /**
   * Sends reconnect hints, waits for work under way, releases the lease and closes everything. Idempotent.
   */
  readonly close: () => Promise<void>;
}

const READY_WITHIN_MS = 2_000;

export async function startNode(options: NodeOptions): Promise<RelayNode> {
  const { host = '127.0.0.1' } = options;
  refuseOpenAddress(host, options);
  if (isWildcard(host) && options.nodeUrl === undefined) {
    throw new Error(
      `${host} is every address of this machine. Set --node-url to the address at which the other relays reach this one.`,
    );
  }
  return allOrNothing((opened) => build(options, host, opened));
}

async function build(options: NodeOptions, host: string, opened: AsyncDisposableStack): Promise<RelayNode> {
  const plain = await openGround(options, opened);
  const { clock, log, onFault, metrics, certificate } = plain;
  const node_id = `node_${randomUUID()}`;
  const ledger = await openPostgresLedger({ url: options.database });
  opened.defer(() => ledger.close());
  const contents = await openFileTable(options.database);
  opened.defer(contents.close);

  const { server, port } = await listen(certificate, { host, port: options.port ?? DEFAULT_PORT });
  plain.connections.watch(server);
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  server.on('request', (incoming, outgoing) => {
    const stage = tenure?.stage();
    if (stage === undefined) betweenStages(incoming, outgoing);
    else stage.door.request(incoming, outgoing);
  });
  server.on('upgrade', (incoming, socket, head) => {
    const stage = tenure?.stage();
    if (stage !== undefined) return stage.door.upgrade(incoming, socket, head);
    socket.on('error', () => {});
    refuseUpgrade(socket, REFUSALS.failed);
  });
  let tenure: ReturnType<typeof createTenure> | undefined;
  const url = ownUrl(options, { host, port });

  const node = { node_id, url: nodeUrl(options.nodeUrl ?? url, certificate?.fingerprint) };
  let onKeeping = (_: Keeping): void => {};
  const lease = await holdKeeperLease({
    ...{ ledger, node, onFault },
    clock: systemClock,
    ...(options.lease && { times: options.lease }),
    monotonic: () => performance.now(),
    onChange: (keeping) => onKeeping(keeping),
  });
  opened.defer(lease.close);
  const secret = await openClusterSecret({ ledger, keeping: lease.keeping });
  const bus = await openNatsBus({ url: options.bus, epoch: ledger.epoch, secret, node_id, onFault });
  opened.defer(bus.close);
  const failures = shareFailures(plain.failures, { bus, node_id });
  opened.defer(failures.close);
  const proofs = shareProofs({ bus, node_id });
  opened.defer(proofs.close);
  const spread = createDeviceSpread({ bus, node_id, clock: systemClock });
  opened.defer(spread.close);
  const seal = createPassingSeal(secret);
  const passing = createPassingOn({
    seal,
    onPassed: (kind) => metrics.figure('passed_on_total', { kind })(),
    onRefused: () => metrics.figure('refused_total', { reason: 'no_keeper' })(),
  });
  opened.defer(passing.close);

  const known = await knownDevices(ledger);
  let closing: Promise<void> | undefined;
  const isReady = async (): Promise<boolean> => {
    if (closing !== undefined || !bus.isUp() || tenure?.stage() === undefined) return false;
    const keeping = lease.keeping();
    if (keeping.kind === 'unknown' || (keeping.kind === 'ours') !== (tenure.term() !== undefined))
      return false;
    const late = new Promise<boolean>((resolve) => void setTimeout(resolve, READY_WITHIN_MS, false).unref());
    const answers = ledger.setting('ready').then(
      () => true,
      () => false,
    );
    return Promise.race([answers, late]);
  };
  let others = await ledger.nodes();
  const guard = guardOf(options, { host, port });
  const ground: NodeGround = {
    ...plain,
    guard,
    relayHosts: () => [...guard.hosts, ...others.map(({ url: each }) => new URL(each).host)],
    ...{ node_id, ledger, bus, contents, failures, proofs, spread, isReady },
    nodes: { seal, passing },
  };
  const stages = createTenure({
    openBranch: () => openBranch(ground),
    openHouse: (term) => openKeptHouse(ground, term, () => lease.lost(term)),
    onFailed: lease.lost,
    clock: systemClock,
    onFault,
  });
  tenure = stages;
  onKeeping = (keeping) => {
    log('keeping', { kind: keeping.kind, ...(keeping.kind !== 'unknown' && { term: keeping.term }) });
    passing.keptAt(keeping.kind === 'theirs' ? keeping.keeper.url : undefined);
    stages.follow(keeping);
  };
  bus.onBack(() => void stages.stage()?.resync().catch(onFault));
  const stopHearing = bus.onNote((note) => {
    if (note.kind === 'node' && note.node_id !== node_id && note.facts['released'] === true) lease.hurry();
  });
  opened.defer(stopHearing);
  showFigures();
  onKeeping(lease.keeping());
  await stages.settled();
  if (stages.stage() === undefined) throw new Error('The relay could not start. See its log.');
  const devices = await openNodeDevices({ ledger, clock, random: randomBytes, onFault }, options.data);
  const watch = watchDevices({
    ...{ ledger, known, onFault },
    clock: systemClock,
    onChange: (revoked) => {
      stages.stage()?.changed(revoked);
      devices.forget(revoked);
    },
    onNodes: (found) => {
      others = found;
      spread.only(new Set(found.map(({ node_id }) => node_id)));
    },
  });
  opened.defer(watch.close);
  const { listening } = devices;
  await listening(url);
  log('listening', { url, node_id });

  function showFigures(): void {
    metrics.figure('node_info', { node_id })();
    metrics.gauge('keeps_house', () => (stages.term() === undefined ? 0 : 1));
    metrics.gauge('keeper_term', () => {
      const keeping = lease.keeping();
      return keeping.kind === 'unknown' ? 0 : keeping.term;
    });
    metrics.gauge('bus_up', () => Number(bus.isUp()));
    for (const direction of ['heard', 'said', 'dropped', 'refused'] as const) {
      metrics.gauge('notes_total', () => bus.counts()[direction], { direction });
    }
  }

  const stop = async (): Promise<void> => {
    log('stopping');
    watch.close();
    await listening(undefined).catch(onFault);
    const empty = new Promise<void>((resolve) => server.close(() => resolve()));
    await stages.close(STOP_MS, () => empty);
    await lease.close();
    bus.publish({ kind: 'node', node_id, facts: { released: true } });
    await opened.disposeAsync();
    log('stopped');
  };
  const close = (): Promise<void> => {
    closing ??= stop();
    return closing;
  };
  return {
    ...{ node_id, url, port, ledger, devices, isReady, close },
    fingerprint: certificate?.fingerprint,
    keeping: lease.keeping,
    keepsHouse: () => stages.term() !== undefined,
    [Symbol.asyncDispose]: close,
  };
}

/** A role switch takes a moment, and the process is healthy. */
function betweenStages(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (pathOf(incoming) !== '/healthz') unavailable(outgoing);
  else outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'ok' }));
}
