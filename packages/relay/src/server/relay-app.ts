import type { Ledger } from '@drawbridge/ledger';
import { bearerOf } from '@drawbridge/link/node';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import { type Context, Hono } from 'hono';
import type { Callers } from '../approvals/callers.ts';
import type { OpenQuestions } from '../approvals/open-questions.ts';
import type { CoreClock, RelayCore } from '../core/ports.ts';
import { createAuthMiddleware } from '../devices/auth-middleware.ts';
import { DeviceError } from '../devices/device-error.ts';
import type { Devices } from '../devices/devices.ts';
import { deviceErrors, devicesApp } from '../devices/devices-app.ts';
import type { FailureLimiter } from '../devices/failure-limiter.ts';
import { accountRoutes } from '../interact/account-routes.ts';
import type { InteractPort } from '../interact/interact-port.ts';
import { modelRoutes } from '../model-settings/model-routes.ts';
import type { ModelSelection } from '../model-settings/model-selection.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Pusher } from '../pusher/pusher.ts';
import { taskClientRoutes } from '../task-clients/task-client-routes.ts';
import type { TaskClients } from '../task-clients/task-clients.ts';
import type { TaskPort } from '../tasks/task-port.ts';
import type { BrowserThreads } from '../threads/browser-threads.ts';
import { threadRoutes } from '../threads/thread-routes.ts';
import type { BridgePorts } from './bridge/bridge-ports.ts';
import type { McpPort } from './bridge/mcp-port.ts';
import { demoRoute, type RelayDemo } from './demo/demo-route.ts';
import type { DeviceQuota } from './files/device-quota.ts';
import type { FileRemoval } from './files/file-removal.ts';
import { fileRoutes } from './files/file-routes.ts';
import type { FileStore } from './files/file-store.ts';
import { addressOf, type Credentials } from './guard/credentials.ts';
import { isHangUp } from './guard/hang-up.ts';
import { mayAct } from './guard/permission.ts';
import type { Halt } from './halt/halt.ts';
import { haltRoute } from './halt/halt-route.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import type { RelayLimits, RelayOptions } from './options.ts';
import { pageRoutes } from './pages/page-routes.ts';
import type { InFlight } from './quotas/in-flight.ts';
import { limitRequestRate, type RequestPace } from './quotas/request-rate-limit.ts';
import { nothingHere, type RelayEnv, refuse, signedIn } from './relay-env.ts';
import type { LiveViews } from './runtimes/live-view.ts';
import { mapRoute } from './runtimes/map-route.ts';
import { runtimeRoutes } from './runtimes/runtime-routes.ts';
import { scheduledSendRoutes } from './sessions-api/scheduled-send-routes.ts';
import { sessionsApiRoutes } from './sessions-api/sessions-api-routes.ts';

export interface RelayAppParts {
  readonly core: RelayCore;
  readonly ledger: Ledger;
  readonly halt: Halt;
  readonly id: (kind: string) => string;
  readonly removal: FileRemoval;
  readonly devices: Devices;
  readonly failures: FailureLimiter;
  readonly files: FileStore;
  readonly quota: DeviceQuota;
  readonly schemas: SchemaChecks;
  readonly bridgePorts: BridgePorts;
  readonly liveViews: LiveViews;
  readonly maps: RelayOptions['maps'];
  readonly mcp: McpPort;
  readonly interactPort: InteractPort;
  readonly taskPort: TaskPort;
  readonly threads: BrowserThreads;
  readonly questions: OpenQuestions;
  readonly callers: Callers;
  readonly labelOf: (device_id: string) => Promise<string | undefined>;
  readonly modelSelection: ModelSelection;
  readonly pusher: Pusher;
  readonly notices: Notifications;
  /** Undefined when switched off. */
  readonly taskClients: TaskClients | undefined;
  readonly credentials: Credentials;
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  readonly requests: RequestPace;
  readonly inFlight: InFlight;
  readonly onError: (error: unknown) => void;
  readonly trustedProxy: boolean;
  readonly health: () => Promise<Health>;
  readonly web: RelayOptions['web'];
  readonly demo: RelayDemo | undefined;
}

/** Every HTTP route, behind the guard. */
export function createRelayApp(parts: RelayAppParts): Hono<RelayEnv> {
  const { bridgePorts, mcp, credentials, trustedProxy } = parts;
  const app = new Hono<RelayEnv>();
  app.use('*', limitRequestRate(parts));
  for (const auth of ['runtime', 'agent'] as const) {
    app.on(
      ['GET', 'POST'],
      `/bridge/${auth}/items`,
      signedIn(credentials, (identity) => bridgePorts.admits(identity, auth)),
      (context) => bridgePorts.poll(context.req.raw, context.get('identity'), auth),
    );
  }
  app.all('/mcp', signedIn(credentials, mayAct), (context) =>
    mcp.fetch(context.req.raw, context.get('identity')),
  );
  const limiter = parts.failures;
  const addressOfCaller = ({ env }: Context<RelayEnv>) => addressOf(env.incoming, trustedProxy);
  const auth = createAuthMiddleware({
    ...parts,
    limiter,
    identify: ({ env }: Context<RelayEnv>) => credentials.identify(env.incoming, env.origin),
    isByBearer: ({ env }: Context<RelayEnv>) => bearerOf(env.incoming) !== undefined,
    isOwnOrigin: ({ env }: Context<RelayEnv>) => env.origin === 'ours',
    addressOf: addressOfCaller,
    now: parts.clock.now,
  });
  const onError = (error: unknown, { env }: Context<RelayEnv>): void => {
    if (!isHangUp(env.incoming, error)) parts.onError(error);
  };
  app.route('/', devicesApp({ ...parts, auth, limiter, addressOf: addressOfCaller, onError }));
  app.route('/', fileRoutes(parts));
  app.route('/', parts.interactPort.routes);
  app.route('/', accountRoutes({ ...parts, auth, addressOf: addressOfCaller }));
  app.route('/', parts.taskPort.routes);
  app.route('/', modelRoutes({ ...parts, auth, choice: parts.modelSelection }));
  parts.pusher.routes(app, credentials, auth);
  parts.notices.routes(app, auth);
  app.route('/', taskClientRoutes({ ...parts, auth, areLetIn: parts.taskClients !== undefined }));
  app.route('/', threadRoutes(parts));
  app.route('/', scheduledSendRoutes(parts));
  app.route('/', sessionsApiRoutes(parts));
  app.route('/', haltRoute(parts));
  app.route('/', demoRoute(parts));
  app.route('/', mapRoute(parts));
  app.route('/', runtimeRoutes({ ...parts, auth, bridge: bridgePorts.bridge }));
  app.route('/', pageRoutes(parts));
  app.notFound(nothingHere);
  app.onError((error, context) => {
    if (error instanceof DeviceError) return deviceErrors(onError)(error, context);
    onError(error, context);
    return refuse(context, 'internal', 'The relay failed. See its log.');
  });
  return app;
}

/** Leaves out middleware and routes for all methods. */
export function routesOf({ routes }: Hono<RelayEnv>): readonly string[] {
  const own = routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
  return [...new Set(own)].toSorted();
}
