import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as passed } from 'node:timers/promises';
import { openPostgresLedger, type PostgresLedger } from '@drawbridge/ledger';
import { systemClock } from '@drawbridge/link';
import { openNatsBus } from '../bus/nats-bus.ts';
import type { Devices } from '../devices/devices.ts';
import { checkInvitation } from '../devices/invitation-policy.ts';
import { openOwner } from '../devices/owner.ts';
import { createRegister, type RegisterPorts } from '../devices/register.ts';
import { allOrNothing } from '../server/all-or-nothing.ts';
import { openFileTable } from '../server/files/file-table.ts';
import { pathOf } from '../server/guard/open-paths.ts';
import { REFUSALS } from '../server/guard/refusal.ts';
import { createWriteProbe, diskHealth, type Health, type Problem, STOPPING } from '../server/health.ts';
import { guardOf, isWildcard, listen, listenUrl, ownUrl, refuseOpenAddress } from '../server/listener.ts';
import type { RelayOptions } from '../server/options.ts';
import { ALIVE, LIVE_PATHS, READY_PATH, unready } from '../server/pages/page-routes.ts';
import { openServerContext } from '../server/server-context.ts';
import { DEFAULT_PORT, STOP_MS } from '../server/start-relay.ts';
import { openClusterSecret } from './cluster-secrets.ts';
import { createDevicePresence } from './device-presence.ts';
import { knownDevices, watchDevices } from './device-watch.ts';
import { openFollowerRole } from './follower-role.ts';
import { holdLeaderLease, type Leadership, type LeaseTimes } from './leader-lease.ts';
import { createLeaderProxy, refuseUpgrade, unavailable } from './leader-proxy.ts';
import { openLeaderRole } from './leader-role.ts';
import { nodeUrl } from './node-client.ts';
import type { NodeContext } from './node-context.ts';
import { createProxySignature } from './proxy-signature.ts';
import { createRoleSwitch } from './role-switch.ts';
import { shareFailures } from './shared-failures.ts';
import { shareProofs } from './shared-proofs.ts';
import { createStartWait } from './start-wait.ts';

export interface NodeOptions extends Omit<RelayOptions, 'ledger'> {
  /** `postgres://…`, the ledger that the nodes share. */
  readonly database: string;
  /** `nats://…`, or several, separated by commas. */
  readonly bus: string;
  /** Address at which the other nodes reach this one; by default that of its listener. */
  readonly nodeUrl?: string;
  readonly lease?: Partial<LeaseTimes>;
  /** Ends the start while it waits for the database. */
  readonly signal?: AbortSignal;
  /** Called when the start waits for the database. */
  readonly onWait?: (message: string) => void;
}

/** One of several relays with one ledger and one bus. */
export interface RelayNode extends AsyncDisposable {
  readonly node_id: string;
  readonly url: string;
  readonly port: number;
  readonly fingerprint: string | undefined;
  readonly ledger: PostgresLedger;
  readonly devices: NodeDevices;
  readonly leadership: () => Leadership;
  /** True when the leader role is open here. */
  readonly isLeader: () => boolean;
  readonly health: () => Promise<Health>;
  /**
   * Sends reconnect hints, waits for work under way, releases the lease and closes everything. Idempotent.
   */
  readonly close: () => Promise<void>;
}

const LOOK_AGAIN_MS = 100;

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
  const plain = await openServerContext(options, opened);
  const { clock, log, onError, metrics, certificate } = plain;
  const node_id = `node_${randomUUID()}`;
  const { signal, onWait } = options;
  const wait = createStartWait({ clock: systemClock, log, signal, onWait });
  const listener = await listen(plain, { host, port: options.port ?? DEFAULT_PORT });
  const { server, port } = listener;
  plain.connections.watch(server);
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  server.on('request', (incoming, outgoing) => {
    const role = roleSwitch?.role();
    if (role === undefined) betweenRoles(incoming, outgoing, wait.problem() ?? BETWEEN_ROLES);
    else role.router.request(incoming, outgoing);
  });
  server.on('upgrade', (incoming, socket, head) => {
    const role = roleSwitch?.role();
    if (role !== undefined) return role.router.upgrade(incoming, socket, head);
    socket.on('error', () => {});
    refuseUpgrade(socket, REFUSALS.failed);
  });
  let roleSwitch: ReturnType<typeof createRoleSwitch> | undefined;
  const url = ownUrl(options, { host, port });

  const ledger = await wait.until(() => openPostgresLedger({ url: options.database, node_id }));
  opened.defer(() => ledger.close());
  const contents = await wait.until(() => openFileTable(options.database));
  opened.defer(contents.close);

  const node = {
    node_id,
    url: nodeUrl(options.nodeUrl ?? listenUrl(options, { host, port }), certificate?.fingerprint),
  };
  let onLeadership = (_: Leadership): void => {};
  const lease = await holdLeaderLease({
    ...{ ledger, node, onError },
    clock: systemClock,
    ...(options.lease && { times: options.lease }),
    monotonic: () => performance.now(),
    onChange: (leadership) => onLeadership(leadership),
  });
  opened.defer(lease.close);
  const secret = await wait.until(() => openClusterSecret({ ledger, leadership: lease.leadership }));
  const bus = await openNatsBus({ url: options.bus, epoch: ledger.epoch, secret, node_id, onError });
  if (!bus.isUp()) log('waiting', { part: 'bus' });
  opened.defer(bus.close);
  const failures = shareFailures(plain.failures, { bus, node_id });
  opened.defer(failures.close);
  const proofs = shareProofs({ bus, node_id });
  opened.defer(proofs.close);
  const presence = createDevicePresence({ bus, node_id, clock: systemClock });
  opened.defer(presence.close);
  const signature = createProxySignature(secret);
  const leaderProxy = createLeaderProxy({
    signature,
    onProxied: (kind) => metrics.counter('proxied_requests_total', { kind })(),
    onRefused: () => metrics.counter('refused_total', { reason: 'no_leader' })(),
  });
  opened.defer(leaderProxy.close);

  const known = await wait.until(() => knownDevices(ledger));
  let closing: Promise<void> | undefined;
  const probe = createWriteProbe(ledger);
  const health = async (): Promise<Health> => {
    if (closing !== undefined) return { problems: [STOPPING], degraded: [] };
    const { kind } = lease.leadership();
    const isSettled =
      roleSwitch?.role() !== undefined && (kind === 'ours') === (roleSwitch.term() !== undefined);
    const [written, room, hasLeader] = await Promise.all([
      probe.check(),
      // The ledger is on the database's disk.
      diskHealth(plain.disk, 0),
      kind !== 'theirs' || leaderProxy.isAnswered(),
    ]);
    const lost = kind === 'unknown' ? [NO_LEASE] : isSettled ? [] : [BETWEEN_ROLES];
    return {
      problems: [...lost, ...written],
      degraded: [...(bus.isUp() ? [] : [NO_BUS]), ...(hasLeader ? [] : [SILENT_LEADER]), ...room.degraded],
    };
  };
  let others = await wait.until(ledger.nodes);
  const guard = guardOf(options, { host, port });
  const context: NodeContext = {
    ...plain,
    guard,
    relayHosts: () => [...guard.hosts, ...others.map(({ url: each }) => new URL(each).host)],
    ...{ node_id, ledger, bus, contents, failures, proofs, presence, health },
    nodes: { signature, leaderProxy },
  };
  const nodeRoles = createRoleSwitch({
    openFollower: () => openFollowerRole(context),
    openLeader: (term) => openLeaderRole(context, term, () => lease.lost(term)),
    onFailed: lease.lost,
    clock: systemClock,
    onError,
  });
  roleSwitch = nodeRoles;
  onLeadership = (leadership) => {
    log('leadership', {
      kind: leadership.kind,
      ...(leadership.kind !== 'unknown' && { term: leadership.term }),
    });
    leaderProxy.leaderAt(leadership.kind === 'theirs' ? leadership.leader.url : undefined);
    nodeRoles.apply(leadership);
  };
  bus.onBack(() => void nodeRoles.role()?.resync().catch(onError));
  const stopListening = bus.onMessage((message) => {
    if (message.kind === 'node' && message.node_id !== node_id && message.facts['released'] === true)
      lease.renewNow();
  });
  opened.defer(stopListening);
  exposeMetrics();
  onLeadership(lease.leadership());
  await nodeRoles.finished();
  // A role that failed to open is opened again.
  while (nodeRoles.role() === undefined) await passed(LOOK_AGAIN_MS);
  const devices = await wait.until(() =>
    openNodeDevices({ ledger, clock, random: randomBytes, onError }, options.data),
  );
  const watch = watchDevices({
    ...{ ledger, known, onError },
    clock: systemClock,
    onChange: (revoked) => {
      nodeRoles.role()?.changed(revoked);
      devices.forget(revoked);
    },
    onNodes: (found) => {
      others = found;
      presence.only(new Set(found.map(({ node_id }) => node_id)));
    },
  });
  opened.defer(watch.close);
  const { listening } = devices;
  await listening(url);
  log('listening', { url, node_id });

  function exposeMetrics(): void {
    metrics.counter('node_info', { node_id })();
    metrics.gauge('is_leader', () => (nodeRoles.term() === undefined ? 0 : 1));
    metrics.gauge('leader_term', () => {
      const leadership = lease.leadership();
      return leadership.kind === 'unknown' ? 0 : leadership.term;
    });
    metrics.gauge('bus_up', () => Number(bus.isUp()));
    for (const direction of ['received', 'published', 'dropped', 'refused'] as const) {
      metrics.gauge('bus_messages_total', () => bus.counts()[direction], { direction });
    }
  }

  const stop = async (): Promise<void> => {
    log('stopping');
    watch.close();
    await listening(undefined).catch(onError);
    const empty = new Promise<void>((resolve) => server.close(() => resolve()));
    listener.dropHandshakes();
    await nodeRoles.close(STOP_MS, () => empty);
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
    ...{ node_id, url, port, ledger, devices, health, close },
    fingerprint: certificate?.fingerprint,
    leadership: lease.leadership,
    isLeader: () => nodeRoles.term() !== undefined,
    [Symbol.asyncDispose]: close,
  };
}

const NO_LEASE: Problem = { part: 'lease', message: 'This relay knows no leader.' };
const BETWEEN_ROLES: Problem = { part: 'lease', message: 'This relay is becoming the leader or a follower.' };
const NO_BUS: Problem = {
  part: 'bus',
  message: 'The bus is away: sends are stored, and events of other relays come late.',
};
const SILENT_LEADER: Problem = {
  part: 'leader',
  message: 'The leader does not answer: sends are stored, and delivered by the next leader.',
};

/** A start or a role switch takes a moment, and the process is healthy. */
function betweenRoles(incoming: IncomingMessage, outgoing: ServerResponse, problem: Problem): void {
  const path = pathOf(incoming);
  const answer = (status: number, body: object): void =>
    void outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (LIVE_PATHS.has(path)) answer(200, ALIVE);
  else if (path === READY_PATH) answer(503, unready({ problems: [problem], degraded: [] }));
  else unavailable(outgoing);
}

/** Device operations of any node. Invitations and codes live in the leader's memory. */
type NodeDevices = Pick<
  Devices,
  'authenticate' | 'list' | 'mint' | 'revoke' | 'owner' | 'listening' | 'forget'
>;

async function openNodeDevices(ports: RegisterPorts, dataFolder: string): Promise<NodeDevices> {
  const register = createRegister(ports);
  const { authenticate, list, revoke, forget, issue } = register;
  return {
    ...{ authenticate, list, revoke, forget },
    ...(await openOwner(register, dataFolder)),
    async mint({ roles, label, scopes = [], by }) {
      checkInvitation(by, { roles, scopes }, 'mint');
      return issue({ roles, label, scopes, by: by === 'machine' ? null : by.device_id }, 'mint');
    },
  };
}
