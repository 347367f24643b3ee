import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import type { Bridge } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { createApprovals } from '@drawbridge/mcp';
import type { Asker } from '@drawbridge/protocol';
import { type Browser, createBrowserAskers } from '../approvals/browser-askers.ts';
import { createOpenQuestions } from '../approvals/open-questions.ts';
import { createBrainChoice } from '../brain-choice/brain-choice.ts';
import { createLocalBus } from '../core/local-bus.ts';
import type { RelayCore } from '../core/ports.ts';
import { createRelayCore } from '../core/relay-core.ts';
import { createDevices, type Devices } from '../devices/devices.ts';
import { createFailureLimiter } from '../devices/failure-limiter.ts';
import { createInteractPort, type InteractPort } from '../interact/interact-port.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openSqliteLedger } from '../ledger/sqlite/sqlite-ledger.ts';
import { createNotices } from '../notices/notices.ts';
import { createPusher, type Pusher } from '../pusher/pusher.ts';
import { createTaskClients, type TaskClients } from '../task-clients/task-clients.ts';
import { createTaskPort } from '../tasks/task-port.ts';
import { createBridgePorts } from './bridge/bridge-ports.ts';
import { createMcpPort } from './bridge/mcp-port.ts';
import { createChatPort } from './chat/chat-port.ts';
import { createDeviceQuota } from './files/device-quota.ts';
import { createFileRemoval } from './files/file-removal.ts';
import { openFileStore } from './files/file-store.ts';
import { createFrontDoor } from './front-door.ts';
import { createCredentials } from './guard/credentials.ts';
import { createHalt, type Halt } from './halt/halt.ts';
import { sweepFiles } from './keeping/file-sweep.ts';
import { startRetention } from './keeping/retention.ts';
import { bracketed, hostsOf, isWildcard, listen, refuseOpenAddress } from './listener.ts';
import { createLog, faultFacts } from './log.ts';
import { createMetrics, measured } from './metrics.ts';
import { RELAY_LIMITS, type RelayOptions } from './options.ts';
import { createRelayApp, routesOf } from './relay-app.ts';
import { createLiveViews } from './runtimes/live-view.ts';
import { certificateOf } from './tls.ts';

export interface Relay extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** SHA-256 of the certificate, for the pairing link; undefined where TLS is not ours. */
  readonly fingerprint: string | undefined;
  readonly core: RelayCore;
  readonly devices: Devices;
  readonly ledger: Ledger;
  /** What it answers to over HTTP, as `GET /api/sessions/:id`, for whoever describes it. */
  readonly routes: readonly string[];
  /** Where agents and runtimes meet; a runtime of this process connects to it directly. */
  readonly bridge: Bridge;
  /** Asks through the MCP client whose call it is, where that can ask; else every person, as a prompt. */
  readonly asker: Asker;
  /** Decides the next step of a task for whoever runs it in this process; the sessions of our own agent. */
  readonly interactPort: Pick<InteractPort, 'interact' | 'sessions'>;
  /** Tells whoever listens to a session by Pusher. */
  readonly pusher: Pick<Pusher, 'trigger'>;
  /** The extensions of the task protocol that are connected; none when that is not switched on. */
  readonly taskClients: TaskClients;
  /** Someone stops everything: whoever runs runtimes in this process takes back their running grants. */
  readonly onHalt: Halt['onHalt'];
  /** Says goodbye, waits for what was begun, and lets go of everything, within five seconds. Idempotent. */
  readonly close: () => Promise<void>;
}

export const DEFAULT_PORT = 7717;
const STOP_MS = 5_000;
/** As what the browsers of this process ask. */
const OWN_BROWSER = { device_id: 'relay_browser', label: 'Browser' };

export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { host = '127.0.0.1' } = options;
  refuseOpenAddress(host, options);
  const opened = new AsyncDisposableStack();
  try {
    return await build(options, host, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function build(options: RelayOptions, host: string, opened: AsyncDisposableStack): Promise<Relay> {
  const { data, clock = systemClock, trustedProxy = false, tls } = options;
  const secure = tls !== undefined || trustedProxy;
  const limits = { ...RELAY_LIMITS, ...options.limits };
  const log = createLog(options.log ?? (() => {}), clock.now);
  const onFault = (error: unknown) => log('fault', faultFacts(error));

  const certificate =
    tls && (await certificateOf(tls, { data, names: certifiedNames(options), now: clock.now() }));
  const metrics = createMetrics();
  opened.defer(metrics.close);
  const store = options.ledger ?? (await openSqliteLedger({ path: join(data, 'ledger.db') }));
  if (options.ledger === undefined) opened.defer(() => store.close());
  const ledger = measured(store, metrics);
  const folder = join(data, 'files');
  const files = await openFileStore(folder);
  const quota = createDeviceQuota(ledger, limits.device_bytes);
  let sweeping = Promise.resolve();
  const sweep = (): Promise<void> => {
    // One after another: two would trip over each other's files.
    sweeping = sweeping.then(() => sweepFiles({ folder, ledger, clock })).catch(onFault);
    return sweeping;
  };
  const removal = createFileRemoval({ ledger, quota, sweep });
  const failures = createFailureLimiter(clock, limits.failures_per_minute);
  opened.defer(failures.close);
  const id = (kind: string) => `${kind}_${randomUUID()}`;
  const bus = createLocalBus();
  const core = await createRelayCore({ ledger, clock, id, bus, onFault }, options.times);
  const devices = await createDevices({ ledger, clock, random: randomBytes, dataFolder: data, onFault });
  opened.defer(devices.close);
  const browsers = createBrowserAskers({ core, clock });
  opened.defer(browsers.close);
  const approvals = createApprovals({ fallback: browsers, now: clock.now });
  const questions = createOpenQuestions();
  const askerOf = (browser: Browser): Asker => questions.watched(browsers.by(browser, approvals.asker));
  const bridgePorts = createBridgePorts({ clock, metrics, askerOf, onFault });
  opened.defer(bridgePorts.close);
  const { bridge } = bridgePorts;
  const liveViews = createLiveViews({ bridge, clock });
  opened.defer(liveViews.close);
  const mcp = createMcpPort({ bridge, approvals, asksElsewhere: true }, onFault);
  opened.defer(mcp.close);
  const halt = createHalt({ core, bridge, ledger, clock, id, except: browsers.sessions, onFault });
  const retention = startRetention({ ledger, clock, onFault, removal });
  opened.defer(retention.close);

  const authFailures = metrics.figure('auth_failures_total');
  const credentials = createCredentials({
    authenticate: devices.authenticate,
    failures,
    trustedProxy,
    secure,
    onFailure: (address) => {
      authFailures();
      log('credential_refused', { address });
    },
  });
  const pusher = await createPusher({
    ...{ ledger, clock, limits, metrics, onFault },
    random: randomBytes,
    remote: options.pusher,
    webhook: options.pusherWebhook,
  });
  opened.defer(pusher.close);
  const notices = await createNotices({
    ...{ ledger, bus, clock, id, data, credentials, onFault },
    random: randomBytes,
    ...options.notices,
  });
  opened.defer(notices.close);
  const taskClients = createTaskClients({ clock, limits, metrics, log, onFault });
  opened.defer(taskClients.close);
  const admitted = options.taskClients === true ? taskClients : undefined;
  const brainChoice = createBrainChoice({ data, env: options.env ?? process.env });
  const interactPort = createInteractPort({
    ...{ core, ledger, bus, clock, id, credentials, onFault },
    brain: options.brain ?? (() => brainChoice.brain),
    push: options.push ?? pusher.trigger,
    callsPerMinute: limits.interact_calls_per_minute,
  });
  opened.defer(interactPort.close);
  const taskPort = await createTaskPort({
    ...{ ledger, bus, clock, id, bridge, interactPort, credentials, files, quota, onFault },
    ...{ clients: taskClients, questions },
  });
  opened.defer(taskPort.close);
  halt.onHalt(() => taskPort.cancelAll('Somebody stopped everything.'));
  devices.onRevoked((device_id) => {
    // What a browser has asked is taken back first, while it still has a session.
    bridgePorts.dismiss(device_id);
    browsers.dismiss(device_id);
    core.dismiss(device_id);
    mcp.dismiss(device_id);
    pusher.dismiss(device_id);
    notices.dismiss(device_id);
    taskClients.dismiss(device_id);
    taskPort.cancelAll('The device that asked for it was revoked.', device_id);
    log('device_revoked', { device_id });
  });

  let closing: Promise<void> | undefined;
  const isReady = async (): Promise<boolean> => {
    if (closing !== undefined) return false;
    return store.setting('ready').then(
      () => true,
      () => false,
    );
  };
  const app = createRelayApp({
    ...{
      ledger,
      bus,
      halt,
      id,
      devices,
      failures,
      files,
      quota,
      removal,
      bridgePorts,
      liveViews,
      maps: options.maps,
      mcp,
      interactPort,
      taskPort,
      brainChoice,
      pusher,
      notices,
      credentials,
      clock,
      limits,
      metrics,
    },
    ...{ trustedProxy, secure, isReady, onFault },
    web: options.web,
    taskClients: admitted,
  });
  const { server, port } = await listen(certificate, { host, port: options.port ?? DEFAULT_PORT }).catch(
    async (error: unknown) => {
      await core.stop();
      throw error;
    },
  );
  const hosts = hostsOf(options, { host, port, secure: tls !== undefined });
  const guard = { port, hosts, secure, origins: new Set(options.origins) };
  const chat = createChatPort({ core, clock, limits, metrics, log });
  const door = createFrontDoor({
    ...{ app, guard, trustedProxy, credentials, chat, bridgePorts, metrics, log },
    pusher: pusher.port,
    taskClients: admitted,
  });
  opened.defer(chat.close);
  devices.onRevoked(door.dismiss);
  opened.defer(() => {
    door.terminate();
    server.closeAllConnections();
  });
  server.on('request', door.request);
  server.on('upgrade', door.upgrade);

  const url = `${tls === undefined ? 'http' : 'https'}://${isWildcard(host) ? '127.0.0.1' : bracketed(host)}:${port}`;
  await devices.listening(url);
  log('listening', { url });

  /** Resolves when the last socket has closed, and what was asked by HTTP is answered. */
  const sayGoodbye = async (): Promise<void> => {
    const empty = new Promise((resolve) => server.close(resolve));
    liveViews.close();
    await taskPort.close();
    interactPort.close();
    await core.stop();
    bridgePorts.close();
    pusher.close();
    taskClients.close();
    await mcp.close();
    await empty;
  };
  const stop = async (): Promise<void> => {
    log('stopping');
    door.shut();
    await devices.listening(undefined).catch(onFault);
    await Promise.race([sayGoodbye().catch(onFault), passed(STOP_MS, undefined, { ref: false })]);
    await opened.disposeAsync();
    log('stopped');
  };
  const close = (): Promise<void> => {
    closing ??= stop();
    return closing;
  };
  return {
    ...{ url, port, core, devices, ledger, bridge, interactPort, pusher, taskClients, close },
    routes: routesOf(app),
    onHalt: halt.onHalt,
    asker: askerOf(OWN_BROWSER),
    fingerprint: certificate?.fingerprint,
    [Symbol.asyncDispose]: close,
  };
}

/** Without their ports: a certificate is for a name. */
function certifiedNames({ hosts = [] }: RelayOptions): readonly string[] {
  return ['localhost', '127.0.0.1', '::1', ...hosts.map((name) => name.replace(/:\d+$/, ''))];
}
