import { createBridge } from '@drawbridge/bridge';
import { type MemoryDisk, openMemoryLedger } from '@drawbridge/ledger/memory';
import { checkSchema } from '@drawbridge/manifest';
import type { InteractRequest } from '@drawbridge/protocol';
import type { DeciderAnswer, TaskDecider } from '@drawbridge/runtime/task';
import { createFakeClock } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import { createNamedAddresses } from '../../src/approvals/named-addresses.ts';
import { createOpenQuestions } from '../../src/approvals/open-questions.ts';
import type { Identity } from '../../src/core/ports.ts';
import { createRelayCore } from '../../src/core/relay-core.ts';
import { createAgentSessions } from '../../src/interact/agent-sessions.ts';
import { createMetrics } from '../../src/server/metrics.ts';
import { RELAY_LIMITS } from '../../src/server/options.ts';
import { createTaskClients } from '../../src/task-clients/task-clients.ts';
import { type TaskUpdate, updatesOf } from '../../src/tasks/task-events.ts';
import { parseOrder, type TaskOrder } from '../../src/tasks/task-order.ts';
import { createTaskQuota } from '../../src/tasks/task-quota.ts';
import type { TaskView } from '../../src/tasks/task-record.ts';
import { createTaskRows } from '../../src/tasks/task-rows.ts';
import { createTaskRunners } from '../../src/tasks/task-runners.ts';
import { createTaskService, type TaskService } from '../../src/tasks/task-service.ts';
import { createTaskStore } from '../../src/tasks/task-store.ts';
import { createTaskThoughts } from '../../src/tasks/task-thoughts.ts';
import { coreClock } from '../server/test-relay.ts';

export const PROGRAM: Identity = { device_id: 'program', roles: ['agent'], label: 'Program', scopes: [] };

export type Line = DeciderAnswer | ((request: InteractRequest) => DeciderAnswer | Promise<DeciderAnswer>);

export const doing = (action: string, more: Partial<DeciderAnswer> = {}): DeciderAnswer =>
  ({ thought: 'Because.', action, ...more }) as DeciderAnswer;

export const asking = (userQuestion: string): DeciderAnswer => ({ status: 'needs_user_input', userQuestion });

/** Parses the order as a program sends it. */
export function orderOf(prompt: string, more: object = {}): TaskOrder {
  const order = parseOrder(JSON.stringify({ prompt, ...more }));
  if ('field' in order) throw new Error(order.message);
  return order;
}

/** A task service with a real ledger, core, bridge and task loop; a scripted decider answers by prompt. */
export async function openTaskService(
  script: Readonly<Record<string, readonly Line[]>> = {},
  disk: MemoryDisk = { epoch: 'epoch', synced: [] },
) {
  const clock = createFakeClock(Date.parse('2026-06-01T00:00:00Z'));
  const time = coreClock(clock);
  const faults: unknown[] = [];
  const onError = (error: unknown) => faults.push(error);
  let made = 0;
  const id = (kind: string) => `${kind}_${crypto.randomUUID().slice(0, 8)}_${made++}`;
  const ledger = openMemoryLedger(disk);
  const core = await createRelayCore({ ledger, clock: time, id, onError });
  const sessions = createAgentSessions({ core, ledger, clock: time, id, onError });
  const bridge = createBridge({ clock: time, ids: id, onError });
  const store = createTaskStore({ ledger, rows: createTaskRows({ ledger, sessions }), clock: time });
  const requests: InteractRequest[] = [];
  const lines = new Map(Object.entries(script).map(([prompt, said]) => [prompt, [...said]]));
  const deciderOf = ({ api }: { api: { order: { prompt: string } } }): TaskDecider => ({
    async interact(request) {
      requests.push(request);
      const line = lines.get(api.order.prompt)?.shift() ?? doing('finish()');
      return typeof line === 'function' ? line(request) : line;
    },
  });
  const clients = createTaskClients({
    ...{ clock: time, limits: RELAY_LIMITS, log: () => {}, onError },
    metrics: createMetrics(),
  });
  const schemas = {
    check: async (schema: object, value: unknown) => checkSchema(schema, value),
  };
  const runners = createTaskRunners({
    bridge,
    clients,
    questions: createOpenQuestions(),
    named: createNamedAddresses(),
    store,
    sessions,
    clock: time,
    schemas,
    deciderOf,
    onError,
  });
  const quota = createTaskQuota({ clock: time, limits: RELAY_LIMITS, metrics: createMetrics() });
  const taskService = await createTaskService({
    ...{ store, sessions, runners, quota, schemas, clock: time, id, onError },
  });
  const close = async (): Promise<void> => {
    await taskService.close();
    sessions.close();
    await core.stop();
    clients.close();
    bridge.close();
  };
  onTestFinished(close);

  const thoughts = createTaskThoughts();
  const updates = async (task_id: string, after = 0): Promise<readonly TaskUpdate[]> => {
    const task = await taskService.get(task_id);
    if (task === undefined) throw new Error(`There is no task ${task_id}.`);
    const gone = new AbortController();
    const all: TaskUpdate[] = [];
    for await (const each of updatesOf(
      { ledger, taskService, thoughts, core, clock: time },
      task,
      after,
      gone.signal,
    ))
      all.push(each);
    return all;
  };
  return {
    clock,
    clients,
    core,
    ledger,
    bridge,
    sessions,
    taskService,
    disk,
    requests,
    faults,
    close,
    updates,
  };
}

/** Resolves when the task matches. */
export function becomes(
  taskService: TaskService,
  task_id: string,
  fits: (task: TaskView) => boolean,
): Promise<TaskView> {
  return new Promise((resolve, reject) => {
    const look = async (): Promise<void> => {
      const task = await taskService.get(task_id);
      if (task === undefined || !fits(task)) return;
      stop();
      resolve(task);
    };
    const stop = taskService.onChange((changed) => {
      if (changed === undefined || changed === task_id) look().catch(reject);
    });
    look().catch(reject);
  });
}

export const ends = (taskService: TaskService, task_id: string): Promise<TaskView> =>
  becomes(taskService, task_id, ({ settled_at }) => settled_at !== null);
