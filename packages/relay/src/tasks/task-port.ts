import type { Bridge } from '@drawbridge/bridge';
import type { Ledger } from '@drawbridge/ledger';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import type { Hono } from 'hono';
import type { NamedAddresses } from '../approvals/named-addresses.ts';
import type { OpenQuestions } from '../approvals/open-questions.ts';
import type { CoreClock, RelayCore } from '../core/ports.ts';
import type { InteractPort } from '../interact/interact-port.ts';
import type { DeviceQuota } from '../server/files/device-quota.ts';
import type { FileStore } from '../server/files/file-store.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { Metrics } from '../server/metrics.ts';
import type { RelayLimits } from '../server/options.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import type { TaskClients } from '../task-clients/task-clients.ts';
import { createStepPictures } from './step-pictures.ts';
import { deciderOf } from './task-decider.ts';
import { createTaskQuota } from './task-quota.ts';
import { taskRoutes } from './task-routes.ts';
import { createTaskRunners } from './task-runners.ts';
import { createTaskService, type TaskService } from './task-service.ts';
import { createTaskStore } from './task-store.ts';
import { createTaskThoughts } from './task-thoughts.ts';

export interface TaskPortOptions {
  readonly ledger: Ledger;
  readonly core: Pick<RelayCore, 'onEvents'>;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly bridge: Bridge;
  readonly clients: TaskClients;
  readonly questions: Pick<OpenQuestions, 'at' | 'onChange'>;
  readonly named: Pick<NamedAddresses, 'add'>;
  readonly interactPort: Pick<InteractPort, 'interact' | 'sessions' | 'rows'>;
  readonly credentials: Credentials;
  readonly files: FileStore;
  readonly quota: DeviceQuota;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  readonly schemas: Pick<SchemaChecks, 'check'>;
  readonly onError: (error: unknown) => void;
}

export interface TaskPort extends Pick<TaskService, 'cancelAll' | 'close'> {
  /** Mounted at `/api/tasks`. */
  readonly routes: Hono<RelayEnv>;
}

export async function createTaskPort(options: TaskPortOptions): Promise<TaskPort> {
  const { interactPort } = options;
  const { sessions, rows } = interactPort;
  const store = createTaskStore({ ...options, rows });
  const thoughts = createTaskThoughts();
  const runners = createTaskRunners({
    ...options,
    ...{ store, sessions },
    deciderOf: (task) => deciderOf(interactPort, thoughts, task),
    keepPicture: createStepPictures(options),
  });
  const taskService = await createTaskService({
    ...options,
    ...{ store, sessions, runners },
    quota: createTaskQuota(options),
  });
  return {
    cancelAll: taskService.cancelAll,
    close: taskService.close,
    routes: taskRoutes({ ...options, taskService, thoughts }),
  };
}
