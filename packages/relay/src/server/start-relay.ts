import { join } from 'node:path';
import type { Bridge } from '@drawbridge/bridge';
import { type Ledger, openSqliteLedger } from '@drawbridge/ledger';
import type { Asker } from '@drawbridge/protocol';
import type { RelayCore } from '../core/ports.ts';
import { createRelayCore } from '../core/relay-core.ts';
import type { Devices } from '../devices/devices.ts';
import { privateFolder } from '../devices/private-file.ts';
import type { InteractPort } from '../interact/interact-port.ts';
import type { Pusher } from '../pusher/pusher.ts';
import type { TaskClients } from '../task-clients/task-clients.ts';
import { allOrNothing } from './all-or-nothing.ts';
import { createChatPort } from './chat/chat-port.ts';
import { openFileStore } from './files/file-store.ts';
import type { Halt } from './halt/halt.ts';
import { createWriteProbe, diskHealth, type Health, RESERVE_BYTES, STOPPING, withReserve } from './health.ts';
import { openLeaderServices } from './leader-services.ts';
import { guardOf, listen, ownUrl, refuseOpenAddress } from './listener.ts';
import { measured } from './metrics.ts';
import type { RelayOptions } from './options.ts';
import { routesOf } from './relay-app.ts';
import { createRequestRouter } from './request-router.ts';
import { openServerContext } from './server-context.ts';

export interface Relay extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Every `Host` under which the relay answers. */
  readonly hosts: readonly string[];
  /** SHA-256 of the certificate, for the pairing link; undefined where TLS is not ours. */
  readonly fingerprint: string | undefined;
  readonly core: RelayCore;
  readonly devices: Devices;
  readonly ledger: Ledger;
  /** HTTP routes such as `GET /api/sessions/:id`, for documentation. */
  readonly routes: readonly string[];
  /** Connects agents and runtimes; a runtime of this process connects to it directly. */
  readonly bridge: Bridge;
  /** Asks through the calling MCP client where that can ask; otherwise every person, as a prompt. */
  readonly asker: Asker;
  /** Decides the next step of tasks that run in this process; has the sessions of our own agent. */
  readonly interactPort: Pick<InteractPort, 'interact' | 'sessions'>;
  /** Publishes to a session's Pusher subscribers. */
  readonly pusher: Pick<Pusher, 'trigger'>;
  /** Connected task-protocol extensions; none when switched off. */
  readonly taskClients: TaskClients;
  /** Called on a halt: runtimes in this process revoke their running grants. */
  readonly onHalt: Halt['onHalt'];
  /** Announces the stop, waits for open work, and closes everything within two seconds. Idempotent. */
  readonly close: () => Promise<void>;
}

export const DEFAULT_PORT = 7717;
export const STOP_MS = 1_500;

/** A single relay with its own ledger: the leader from start to end. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { host = '127.0.0.1' } = options;
  refuseOpenAddress(host, options);
  return allOrNothing((opened) => build(options, host, opened));
}

async function build(options: RelayOptions, host: string, opened: AsyncDisposableStack): Promise<Relay> {
  const context = await openServerContext(options, opened);
  const { clock, log, onError, metrics, id, certificate } = context;
  const { data } = options;
  const store =
    options.ledger ??
    (await openSqliteLedger({
      path: join(data, 'ledger.db'),
      onRewrite: (progress) => log('ledger_rewriting', { ...progress }),
    }));
  if (options.ledger === undefined) opened.defer(() => store.close());
  const disk = context.disk;
  const probe = createWriteProbe(store);
  const ledger = measured(store, metrics, { ...probe, admit: withReserve(store, disk) });
  let closing: Promise<void> | undefined;
  const health = async (): Promise<Health> => {
    if (closing !== undefined) return { problems: [STOPPING], degraded: [] };
    const [written, room] = await Promise.all([probe.check(), diskHealth(disk, RESERVE_BYTES)]);
    return { ...room, problems: [...room.problems, ...written] };
  };
  let hosts: readonly string[] = [];
  const services = await openLeaderServices(context, {
    ...{ ledger, health },
    relayHosts: () => hosts,
    openCore: () =>
      createRelayCore(
        { ledger, clock, id, onError, onDelivered: metrics.histogram('delivery_seconds') },
        options.times,
      ),
    contents: await openFileStore(join(data, 'files')),
    secrets: privateFolder(data),
  });
  const { core, devices, app, credentials } = services;
  opened.defer(() => services.close(async () => {}, STOP_MS));
  const listener = await listen(context, { host, port: options.port ?? DEFAULT_PORT });
  const { server, port } = listener;
  opened.defer(() => void server.close());
  context.connections.watch(server);
  const guard = guardOf(options, { host, port });
  hosts = [...guard.hosts];
  const chat = createChatPort({ ...context, core });
  const router = createRequestRouter({ ...context, app, guard, credentials, chat, services });
  opened.defer(chat.close);
  devices.onRevoked(router.dismiss);
  opened.defer(() => {
    router.terminate();
    server.closeAllConnections();
  });
  server.on('request', router.request);
  server.on('upgrade', router.upgrade);

  const url = ownUrl(options, { host, port });
  await devices.listening(url);
  log('listening', { url });

  const stop = async (): Promise<void> => {
    log('stopping');
    router.shut();
    await devices.listening(undefined).catch(onError);
    /** Resolves when the last socket has closed and every HTTP request is answered. */
    const empty = new Promise<void>((resolve) => server.close(() => resolve()));
    listener.dropHandshakes();
    await services.close(() => empty, STOP_MS);
    await opened.disposeAsync();
    log('stopped');
  };
  const close = (): Promise<void> => {
    closing ??= stop();
    return closing;
  };
  const { bridge, interactPort, asker, onHalt } = services;
  return {
    ...{ url, port, hosts, core, devices, ledger, bridge, interactPort, asker, onHalt, close },
    routes: routesOf(app),
    pusher: services.push,
    taskClients: services.extensions,
    fingerprint: certificate?.fingerprint,
    [Symbol.asyncDispose]: close,
  };
}
