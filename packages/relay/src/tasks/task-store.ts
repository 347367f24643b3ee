import type { TaskState } from '@drawbridge/protocol';
import type { CoreClock } from '../core/ports.ts';
import type { AgentMessage, AgentSessions } from '../interact/agent-sessions.ts';
import { taskAudits } from '../interact/task-audit.ts';
import { bodyAtEnd, trustPart } from '../interact/task-part.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TaskRecord } from '../ledger/records.ts';
import type { PutTask } from '../ledger/writes.ts';
import { type ApiBody, type ApiTask, apiTaskOf, bodyWith } from './task-record.ts';

/** The tasks of this API in the ledger. A change and its messages are stored together or not at all. */
export interface TaskStore {
  /** Undefined when the id already exists. */
  readonly add: (task: NewTask, said: readonly AgentMessage[]) => Promise<ApiTask | undefined>;
  readonly get: (task_id: string) => Promise<ApiTask | undefined>;
  /** Tasks that have not ended, oldest first. */
  readonly open: () => Promise<readonly ApiTask[]>;
  /** The newest `limit` matching tasks created before the given one, or of all. */
  readonly before: (
    task_id: string | null,
    limit: number,
    fits: (task: ApiTask) => boolean,
  ) => Promise<readonly ApiTask[]>;
  /**
   * Stored when it resolves, keeping the decider's concurrent writes. An undefined change stores and sends
   * nothing.
   */
  readonly change: (
    task_id: string,
    change: (task: ApiTask) => TaskChange | undefined,
    said?: readonly AgentMessage[],
  ) => Promise<ApiTask>;
  /** Called after each store. */
  readonly onChange: (listener: (task: ApiTask) => void) => () => void;
}

export type NewTask = Pick<ApiTask, 'task_id' | 'session_id' | 'device_id' | 'priority' | 'api'>;

export interface TaskChange {
  readonly state?: TaskState;
  readonly settled_at?: number;
  readonly api?: Partial<ApiBody>;
}

export interface TaskStoreOptions {
  readonly ledger: Pick<Ledger, 'task' | 'openTasks' | 'tasksBefore'>;
  readonly sessions: Pick<AgentSessions, 'appendMessages'>;
  readonly clock: CoreClock;
}

const PAGE_TASKS = 200;
/** A search stops after this many pages and finds nothing. */
const MOST_PAGES = 50;

export function createTaskStore({ ledger, sessions, clock }: TaskStoreOptions): TaskStore {
  const listeners = new Set<(task: ApiTask) => void>();

  /** Undefined when the revision has changed. */
  const put = async (
    task: PutTask['task'],
    before: Pick<TaskRecord, 'revision' | 'settled_at'> | undefined,
    said: readonly AgentMessage[],
  ) => {
    const if_revision = before?.revision ?? 0;
    const stored = parseTask({ ...task, revision: if_revision + 1 });
    const { order, end } = stored.api;
    const problem = end?.state === 'completed' ? undefined : end?.message;
    const outcome = await sessions.appendMessages(task.session_id, said, [
      { do: 'put_task', task, if_revision },
      ...taskAudits(before, task, { text: order.prompt, problem }),
    ]);
    if (outcome.committed) {
      for (const listener of listeners) listener(stored);
      return stored;
    }
    if (outcome.refusal.reason === 'task_changed') return undefined;
    throw new Error(`The task could not be stored: ${outcome.refusal.reason}.`);
  };

  return {
    add({ api, ...task }, said) {
      const now = clock.now();
      const times = { created_at: now, updated_at: now, settled_at: null };
      return put({ ...task, ...times, state: 'queued', body: bodyWith({}, api) }, undefined, said);
    },
    async get(task_id) {
      const record = await ledger.task(task_id);
      return record && apiTaskOf(record);
    },
    open: async () => ours(await ledger.openTasks()),
    async before(task_id, limit, fits) {
      const found: ApiTask[] = [];
      let before = task_id;
      for (let pages = 0; pages < MOST_PAGES && found.length < limit; pages++) {
        const page = await ledger.tasksBefore(before, PAGE_TASKS);
        found.push(...ours(page).filter(fits));
        before = page.at(-1)?.task_id ?? null;
        if (page.length < PAGE_TASKS) break;
      }
      return found.slice(0, limit);
    },
    async change(task_id, how, said = []) {
      for (;;) {
        const record = await ledger.task(task_id);
        if (record === undefined) throw new Error(`There is no task ${task_id}.`);
        const task = parseTask(record);
        const change = how(task);
        if (change === undefined) return task;
        const { api, ...changed } = change;
        const { revision: _, ...rest } = record;
        const kept =
          changed.settled_at === undefined ? record.body : bodyAtEnd(record.body, trustPart(record));
        const body = bodyWith(kept, { ...task.api, ...api });
        const stored = await put({ ...rest, ...changed, body, updated_at: clock.now() }, record, said);
        if (stored !== undefined) return stored;
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const ours = (records: readonly TaskRecord[]): readonly ApiTask[] =>
  records.flatMap((record) => apiTaskOf(record) ?? []);

function parseTask(record: TaskRecord): ApiTask {
  const task = apiTaskOf(record);
  if (task === undefined) throw new Error(`The task ${record.task_id} is not one of this API.`);
  return task;
}
