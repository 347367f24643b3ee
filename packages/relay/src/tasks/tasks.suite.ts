import { createBridge } from '@drawbridge/bridge';
import { checkSchema } from '@drawbridge/manifest';
import type { InteractRequest } from '@drawbridge/protocol';
import type { MindAnswer, TaskMind } from '@drawbridge/runtime/task';
import { createFakeClock } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import { createNamedAddresses } from '../approvals/named-addresses.ts';
import { createOpenQuestions } from '../approvals/open-questions.ts';
import { createLocalBus } from '../core/local-bus.ts';
import type { Identity } from '../core/ports.ts';
import { createRelayCore } from '../core/relay-core.ts';
import { createAgentSessions } from '../interact/agent-sessions.ts';
import { type MemoryDisk, openMemoryLedger } from '../ledger/memory/memory-ledger.ts';
import { createMetrics } from '../server/metrics.ts';
import { RELAY_LIMITS } from '../server/options.ts';
import { coreClock } from '../server/server.suite.ts';
import { createTaskClients } from '../task-clients/task-clients.ts';
import { createTaskDesk, type TaskDesk } from './task-desk.ts';
import { type Told, toldOf } from './task-events.ts';
import { parseOrder, type TaskOrder } from './task-order.ts';
import { createTaskQuota } from './task-quota.ts';
import type { TaskView } from './task-record.ts';
import { createTaskRunners } from './task-runners.ts';
import { createTaskStore } from './task-store.ts';
import { createTaskThoughts } from './task-thoughts.ts';

export const PROGRAM: Identity = { device_id: 'program', roles: ['agent'], label: 'Program', scopes: [] };

export type Line = MindAnswer | ((request: InteractRequest) => MindAnswer | Promise<MindAnswer>);

export const doing = (action: string, more: Partial<MindAnswer> = {}): MindAnswer =>
  ({ thought: 'Because.', action, ...more }) as MindAnswer;

export const asking = (userQuestion: string): MindAnswer => ({ status: 'needs_user_input', userQuestion });

/** Parses the order as a program sends it. */
export function orderOf(prompt: string, more: object = {}): TaskOrder {
  const order = parseOrder(JSON.stringify({ prompt, ...more }));
  if ('field' in order) throw new Error(order.message);
  return order;
}

/** A task desk with a real ledger, core, bridge and task loop; a scripted decider answers by prompt. */
export async function openDesk(
  script: Readonly<Record<string, readonly Line[]>> = {},
  disk: MemoryDisk = { epoch: 'epoch', synced: [] },
) {
  const clock = createFakeClock(Date.parse('2026-06-01T00:00:00Z'));
  const time = coreClock(clock);
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  let made = 0;
  const id = (kind: string) => `${kind}_${crypto.randomUUID().slice(0, 8)}_${made++}`;
  const ledger = openMemoryLedger(disk);
  const bus = createLocalBus();
  const core = await createRelayCore({ ledger, clock: time, id, bus, onFault });
  const sessions = createAgentSessions({ core, ledger, bus, clock: time, id, onFault });
  const bridge = createBridge({ clock: time, ids: id, onFault });
  const store = createTaskStore({ ledger, sessions, clock: time });
  const requests: InteractRequest[] = [];
  const lines = new Map(Object.entries(script).map(([prompt, said]) => [prompt, [...said]]));
  const mindOf = ({ api }: { api: { order: { prompt: string } } }): TaskMind => ({
    async interact(request) {
      requests.push(request);
      const line = lines.get(api.order.prompt)?.shift() ?? doing('finish()');
      return typeof line === 'function' ? line(request) : line;
    },
  });
  const clients = createTaskClients({
    ...{ clock: time, limits: RELAY_LIMITS, log: () => {}, onFault },
    metrics: createMetrics(),
  });
  const runners = createTaskRunners({
    bridge,
    clients,
    questions: createOpenQuestions(),
    named: createNamedAddresses(),
    store,
    sessions,
    clock: time,
    schemas: { check: async (schema, value) => checkSchema(schema, value) },
    mindOf,
    onFault,
  });
  const quota = createTaskQuota({ clock: time, limits: RELAY_LIMITS, metrics: createMetrics() });
  const desk = await createTaskDesk({ store, sessions, runners, quota, clock: time, id, onFault });
  const close = async (): Promise<void> => {
    await desk.close();
    sessions.close();
    await core.stop();
    clients.close();
    bridge.close();
  };
  onTestFinished(close);

  const thoughts = createTaskThoughts();
  const told = async (task_id: string, after = 0): Promise<readonly Told[]> => {
    const task = await desk.get(task_id);
    if (task === undefined) throw new Error(`There is no task ${task_id}.`);
    const gone = new AbortController();
    const all: Told[] = [];
    for await (const each of toldOf({ ledger, desk, thoughts, bus, clock: time }, task, after, gone.signal))
      all.push(each);
    return all;
  };
  return { clock, clients, core, ledger, bus, bridge, sessions, desk, disk, requests, faults, close, told };
}

/** Resolves when the task matches. */
export function becomes(
  desk: TaskDesk,
  task_id: string,
  fits: (task: TaskView) => boolean,
): Promise<TaskView> {
  return new Promise((resolve, reject) => {
    const look = async (): Promise<void> => {
      const task = await desk.get(task_id);
      if (task === undefined || !fits(task)) return;
      stop();
      resolve(task);
    };
    const stop = desk.onChange((changed) => {
      if (changed === undefined || changed === task_id) look().catch(reject);
    });
    look().catch(reject);
  });
}

export const ends = (desk: TaskDesk, task_id: string): Promise<TaskView> =>
  becomes(desk, task_id, ({ settled_at }) => settled_at !== null);
