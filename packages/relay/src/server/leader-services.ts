import { randomBytes } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { createMutex } from '@drawbridge/base';
import type { Bridge } from '@drawbridge/bridge';
import type { Ledger } from '@drawbridge/ledger';
import { createSchemaChecks } from '@drawbridge/manifest/node';
import { createApprovals } from '@drawbridge/mcp';
import type { Asker } from '@drawbridge/protocol';
import type { Hono } from 'hono';
import { type Browser, createBrowserAskers } from '../approvals/browser-askers.ts';
import { createCallers } from '../approvals/callers.ts';
import { createNamedAddresses } from '../approvals/named-addresses.ts';
import { createOpenQuestions } from '../approvals/open-questions.ts';
import { createOutcomeReports } from '../approvals/outcome-reports.ts';
import type { RecordedMessage } from '../approvals/prompt-asker.ts';
import type { PendingSends, RelayCore } from '../core/ports.ts';
import { createDevices, type Devices } from '../devices/devices.ts';
import type { PrivateFiles } from '../devices/private-file.ts';
import { createProofs } from '../devices/proof.ts';
import { createInteractPort, type InteractPort } from '../interact/interact-port.ts';
import { createModelSelection } from '../model-settings/model-selection.ts';
import { createNotifications } from '../notifications/notifications.ts';
import { createPusher, type Pusher } from '../pusher/pusher.ts';
import { createTaskClients, type TaskClients } from '../task-clients/task-clients.ts';
import { createStepPictures } from '../tasks/step-pictures.ts';
import { createTaskPort } from '../tasks/task-port.ts';
import { taskAt } from '../tasks/task-record.ts';
import { createBrowserThreads } from '../threads/browser-threads.ts';
import { tabOfCall } from '../threads/step-words.ts';
import { createTabPictures } from '../threads/tab-pictures.ts';
import { createThreadFiles } from '../threads/thread-files.ts';
import { allOrNothing } from './all-or-nothing.ts';
import { type BridgePorts, createBridgePorts } from './bridge/bridge-ports.ts';
import { createMcpPort } from './bridge/mcp-port.ts';
import { createDeviceQuota } from './files/device-quota.ts';
import { createFileRemoval } from './files/file-removal.ts';
import type { FileContents } from './files/file-store.ts';
import { type Credentials, createCredentials } from './guard/credentials.ts';
import { createHalt, type Halt } from './halt/halt.ts';
import type { Health } from './health.ts';
import { createCallQuota } from './quotas/call-quota.ts';
import { createRelayApp } from './relay-app.ts';
import type { RelayEnv } from './relay-env.ts';
import { createLiveViews } from './runtimes/live-view.ts';
import { toolsOf } from './runtimes/maps.ts';
import type { ServerContext } from './server-context.ts';
import { startRetention } from './sessions-api/retention.ts';
import type { LeaderSockets } from './socket-routes.ts';

export interface LeaderServicesParts {
  readonly ledger: Ledger;
  /** Opens the core and recovers open work from the ledger. */
  readonly openCore: () => Promise<RelayCore>;
  readonly contents: FileContents;
  readonly secrets: PrivateFiles;
  readonly health: () => Promise<Health>;
  /** Every `Host` under which this relay and its other nodes answer. */
  readonly relayHosts: () => readonly string[];
}

/** Leader services: run by only one relay of a ledger at a time. */
export interface LeaderServices extends LeaderSockets {
  readonly core: RelayCore;
  readonly devices: Devices;
  readonly credentials: Credentials;
  readonly app: Hono<RelayEnv>;
  readonly bridge: Bridge;
  readonly asker: Asker;
  readonly interactPort: InteractPort;
  readonly push: Pick<Pusher, 'trigger'>;
  /** All connected extensions, also when the port is switched off. */
  readonly extensions: TaskClients;
  readonly onHalt: Halt['onHalt'];
  /** Announces the stop and waits for open work until `empty` or `ms`; then closes everything. Idempotent. */
  readonly close: (empty: () => Promise<void>, ms: number) => Promise<void>;
}

/** Identity of this process's browsers when they ask. */
const OWN_BROWSER = { device_id: 'relay_browser', label: 'Browser' };

export async function openLeaderServices(
  context: ServerContext,
  parts: LeaderServicesParts,
): Promise<LeaderServices> {
  return allOrNothing((opened) => openServices(context, parts, opened));
}

async function openServices(
  context: ServerContext,
  parts: LeaderServicesParts,
  opened: AsyncDisposableStack,
): Promise<LeaderServices> {
  const { options, clock, limits, log, onError, metrics, failures, id, trustedProxy } = context;
  const { requests, inFlight } = context;
  const { ledger, contents, secrets, relayHosts } = parts;
  const quota = createDeviceQuota(ledger, limits.device_bytes);
  /** Two sweeps would disturb each other's files. */
  const sweepAlone = createMutex();
  const sweep = (): Promise<void> => sweepAlone(() => contents.sweep({ ledger, clock })).catch(onError);
  const removal = createFileRemoval({ ledger, quota, sweep });
  const core = await parts.openCore();
  const countSends = (read: () => PendingSends): void => {
    metrics.gauge('sends_pending', () => read().queued, { state: 'queued' });
    metrics.gauge('sends_pending', () => read().inFlight, { state: 'in_flight' });
  };
  countSends(core.pendingSends);
  // A follower has none.
  opened.defer(() => countSends(() => ({ queued: 0, inFlight: 0 })));
  opened.defer(core.stop);
  const devices = await createDevices({
    ledger,
    clock,
    random: randomBytes,
    dataFolder: options.data,
    onError,
  });
  opened.defer(devices.close);
  const browsers = createBrowserAskers({ core, clock });
  opened.defer(browsers.close);
  await browsers.withdrawLeftover(ledger).catch(onError);
  const approvals = createApprovals({ fallback: browsers, now: clock.now });
  const questions = createOpenQuestions();
  const named = createNamedAddresses();
  const callers = createCallers((call) => tabOfCall(bridgePorts.bridge.runtimes(), call));
  const labelOf = async (device_id: string) =>
    (await devices.list()).find((device) => device.device_id === device_id)?.label;
  const threads = createBrowserThreads({
    ...{ core, clock, ledger, devices, onError },
    bridge: () => bridgePorts.bridge,
    files: createThreadFiles({
      ...{ ledger, quota, clock, files: contents, maxBytes: limits.file_bytes },
      bridge: () => bridgePorts.bridge,
    }),
    picture: createTabPictures({
      ...{ clock, bridge: () => bridgePorts.bridge },
      keep: createStepPictures({ ledger, files: contents, quota, clock, id, onError }),
    }),
  });
  opened.defer(threads.close);
  const recorderOf = (browser: Browser, call_id: string) =>
    threads.recorderOf(call_id) ?? ((message: RecordedMessage) => browsers.record(browser, message));
  const reporter = createOutcomeReports({ clock, bridge: () => bridgePorts.bridge, recorderOf, onError });
  const known = {
    labelOf,
    taskAt: async (runtime_id: string) => (await taskAt(ledger, runtime_id))?.api.order.prompt,
    toolAt: (runtime_id: string, name: string) =>
      toolsOf(bridgePorts.bridge.runtimes().find((tab) => tab.runtime_id === runtime_id))(name),
  };
  const askerOf = (browser: Browser): Asker => {
    const asker = callers.reporting(threads.asking(browsers.by(browser, approvals.asker)), reporter(browser));
    return named.answering(questions.watched(callers.describing(asker, known)));
  };
  const openTabs = () => new Set(bridgePorts.bridge.runtimes().map(({ ready }) => ready.runtime_key));
  const calls = callers.watching(threads.watching(createCallQuota({ clock, limits, metrics, openTabs })));
  const bridgePorts: BridgePorts = createBridgePorts({
    ...{ clock, limits, metrics, inFlight, calls, log, askerOf, onError, relayHosts },
    threads,
  });
  opened.defer(bridgePorts.close);
  const { bridge } = bridgePorts;
  const liveViews = createLiveViews({ bridge, clock });
  opened.defer(liveViews.close);
  const schemas = createSchemaChecks();
  opened.defer(schemas.close);
  const mcp = createMcpPort(
    { bridge, approvals, asksElsewhere: true },
    { schemas, calls, threads, limits, onError },
  );
  opened.defer(mcp.close);
  const halt = createHalt({ core, bridge, ledger, clock, id, except: browsers.sessions, onError });
  const retention = startRetention({ ledger, clock, onError, removal });
  opened.defer(retention.close);
  const credentials = credentialsOf(context, devices);
  const pusher = await createPusher({
    ...{ ledger, clock, limits, metrics, log, onError },
    random: randomBytes,
    remote: options.pusher,
    webhook: options.pusherWebhook,
  });
  opened.defer(pusher.close);
  const notices = await createNotifications({
    ...{ ledger, core, clock, id, secrets, credentials, onError },
    random: randomBytes,
    ...options.notices,
  });
  opened.defer(notices.close);
  const extensions = createTaskClients({ clock, limits, metrics, log, onError });
  opened.defer(extensions.close);
  const taskClients = options.taskClients === true ? extensions : undefined;
  const modelSelection = createModelSelection({ secrets, env: options.env ?? process.env });
  const interactPort = createInteractPort({
    ...{ core, ledger, clock, id, credentials, onError },
    brain: options.brain ?? (() => modelSelection.brain),
    push: options.push ?? pusher.trigger,
    callsPerMinute: limits.interact_calls_per_minute,
  });
  opened.defer(interactPort.close);
  const taskPort = await createTaskPort({
    ...{ ledger, core, clock, id, bridge, interactPort, credentials, quota, questions, onError },
    ...{ files: contents, clients: extensions, schemas, limits, metrics, named },
  });
  opened.defer(taskPort.close);
  halt.onHalt(threads.takeBackAll);
  halt.onHalt(core.scheduledSends.cancelAll);
  halt.onHalt(() => taskPort.cancelAll('Somebody stopped everything.'));
  devices.onRevoked((device_id) => {
    // Withdraws the browser's questions first, while it still has a session.
    bridgePorts.dismiss(device_id);
    browsers.dismiss(device_id);
    core.dismiss(device_id);
    mcp.dismiss(device_id);
    pusher.dismiss(device_id);
    notices.dismiss(device_id);
    extensions.dismiss(device_id);
    taskPort.cancelAll('The device that asked for it was revoked.', device_id);
    log('device_revoked', { device_id });
  });
  await threads.restore().catch(onError);
  const app = createRelayApp({
    ...{ core, ledger, halt, id, devices, failures, quota, removal, bridgePorts, liveViews, mcp },
    ...{ threads, questions, callers, labelOf },
    ...{ interactPort, taskPort, taskClients, modelSelection, pusher, notices, credentials, clock, limits },
    ...{ metrics, requests, inFlight, trustedProxy, schemas, onError },
    files: contents,
    health: parts.health,
    maps: options.maps,
    web: options.web,
    demo: options.demo,
  });

  const stopGracefully = async (empty: () => Promise<void>): Promise<void> => {
    liveViews.close();
    await taskPort.close();
    interactPort.close();
    await core.stop();
    bridgePorts.close();
    pusher.close();
    extensions.close();
    await mcp.close();
    await empty();
  };
  const end = async (empty: () => Promise<void>, ms: number): Promise<void> => {
    await Promise.race([stopGracefully(empty).catch(onError), passed(ms, undefined, { ref: false })]);
    await opened.disposeAsync();
  };
  let closing: Promise<void> | undefined;
  return {
    ...{ core, devices, app, credentials, bridge, bridgePorts, interactPort, extensions, taskClients },
    pusher: pusher.port,
    push: pusher,
    asker: askerOf(OWN_BROWSER),
    onHalt: halt.onHalt,
    close(empty, ms) {
      closing ??= end(empty, ms);
      return closing;
    },
  };
}

/** Authentication against this ledger's devices. */
export function credentialsOf(
  { metrics, failures, proofs, connections, requests, trustedProxy, log, clock }: ServerContext,
  { authenticate, browser }: Pick<Devices, 'authenticate' | 'browser'>,
) {
  const authFailures = metrics.counter('auth_failures_total');
  return createCredentials({
    ...{ authenticate, browser, failures, trustedProxy },
    proofs: createProofs(clock, proofs),
    now: clock.now,
    onKnown: connections.vouch,
    held: requests.held,
    onFailure: (address) => {
      authFailures();
      log('credential_refused', { address });
    },
  });
}
