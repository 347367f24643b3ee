import type { Ledger, TaskRecord } from '@drawbridge/ledger';
import type { TaskState } from '@drawbridge/protocol';
import type { CoreClock } from '../core/ports.ts';
import type { AgentMessage } from '../interact/agent-sessions.ts';
import { bodyAtEnd, trustPart } from '../interact/task-part.ts';
import { type ApiBody, type ApiTask, apiTaskOf, bodyWith } from './task-record.ts';
import type { TaskRows } from './task-rows.ts';

/** The tasks of this API in the ledger. A change and its messages are stored together or not at all. */
export type TaskStore = ReturnType<typeof createTaskStore>;

export type NewTask = Pick<ApiTask, 'task_id' | 'session_id' | 'device_id' | 'priority' | 'api'>;

export interface TaskChange {
  readonly state?: TaskState;
  readonly settled_at?: number;
  readonly api?: Partial<ApiBody>;
}

export interface TaskStoreOptions {
  readonly ledger: Pick<Ledger, 'task' | 'tasksBefore'>;
  readonly rows: TaskRows;
  readonly clock: CoreClock;
}

const PAGE_TASKS = 200;
/** A search stops after this many pages and finds nothing. */
const MOST_PAGES = 50;

export function createTaskStore({ ledger, rows, clock }: TaskStoreOptions) {
  const listeners = new Set<(task: ApiTask) => void>();

  const stored = (record: TaskRecord): ApiTask => {
    const task = parseTask(record);
    for (const listener of listeners) listener(task);
    return task;
  };

  return {
    /** Undefined when the id already exists. */
    async add({ api, ...task }: NewTask, messages: readonly AgentMessage[]): Promise<ApiTask | undefined> {
      const now = clock.now();
      const times = { created_at: now, updated_at: now, settled_at: null };
      const row = { ...task, ...times, state: 'queued' as const, body: bodyWith({}, api) };
      const record = await rows.add({ row, ...auditOf(api), messages });
      return record && stored(record);
    },
    async get(task_id: string): Promise<ApiTask | undefined> {
      const record = await ledger.task(task_id);
      return record && apiTaskOf(record);
    },
    /** Tasks that have not ended, oldest first. */
    open: async (): Promise<readonly ApiTask[]> => ours(await rows.open()),
    /** The newest `limit` matching tasks created before the given one, or of all. */
    async before(
      task_id: string | null,
      limit: number,
      fits: (task: ApiTask) => boolean,
    ): Promise<readonly ApiTask[]> {
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
    /**
     * Stored when it resolves, keeping the decider's concurrent writes. An undefined change stores and sends
     * nothing.
     */
    async change(
      task_id: string,
      how: (task: ApiTask) => TaskChange | undefined,
      messages: readonly AgentMessage[] = [],
    ): Promise<ApiTask> {
      let isChanged = false;
      const after = await rows.change(task_id, (record) => {
        if (record === undefined) throw new Error(`There is no task ${task_id}.`);
        const task = parseTask(record);
        const change = how(task);
        isChanged = change !== undefined;
        if (change === undefined) return undefined;
        const { api, ...changed } = change;
        const kept =
          changed.settled_at === undefined ? record.body : bodyAtEnd(record.body, trustPart(record));
        const now = { ...task.api, ...api };
        const row = { ...record, ...changed, body: bodyWith(kept, now), updated_at: clock.now() };
        return { row, ...auditOf(now), messages };
      });
      if (after === undefined) throw new Error(`There is no task ${task_id}.`);
      return isChanged ? stored(after) : parseTask(after);
    },
    /** Called after each store. */
    onChange(listener: (task: ApiTask) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const auditOf = ({ order, end }: ApiBody) => ({
  text: order.prompt,
  problem: end?.state === 'completed' ? undefined : end?.message,
});

const ours = (records: readonly TaskRecord[]): readonly ApiTask[] =>
  records.flatMap((record) => apiTaskOf(record) ?? []);

function parseTask(record: TaskRecord): ApiTask {
  const task = apiTaskOf(record);
  if (task === undefined) throw new Error(`The task ${record.task_id} is not one of this API.`);
  return task;
}
