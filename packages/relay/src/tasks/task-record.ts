import type { Budgets, Spent } from '@drawbridge/brain';
import type { JsonObject, Ledger, TaskRecord } from '@drawbridge/ledger';
import { LIMITS, type Plan, type TaskState } from '@drawbridge/protocol';
import type { StepRecord, TaskCheckpoint } from '@drawbridge/runtime/task';
import { trustPart } from '../interact/task-part.ts';
import { budgetOf, type TaskUsage, usageOf } from './task-budget.ts';
import type { TaskOrder } from './task-order.ts';
import type { TaskHost } from './task-queue.ts';

/**
 * `TaskRecord.body.api`: fields of this API, which nothing else writes. The fields beside it belong to the
 * decider (interact/) and stay unchanged.
 */
export interface ApiBody {
  readonly order: Omit<TaskOrder, 'priority'>;
  /** People's tasks go first. */
  readonly asked_by?: 'person' | 'agent';
  readonly retry_of?: string;
  readonly retried_as?: string;
  readonly place?: TaskHost;
  readonly started_at?: number;
  /** Null when nothing is asked. */
  readonly question: string | null;
  /** The task loop resumes here after a restart. */
  readonly checkpoint?: TaskCheckpoint;
  /** The person's messages, oldest first. */
  readonly words: readonly string[];
  /**
   * Count of messages sent before the start, which are part of the prompt; `checkpoint.heard` further ones
   * reached the decider.
   */
  readonly prompted?: number;
  /** Running time as of the last store. */
  readonly ran_ms?: number;
  /** Steps done so far, replayable without a model. */
  readonly trace: readonly StepRecord[];
  readonly plan?: Plan;
  readonly end?: TaskEnd;
}

export interface TaskEnd {
  readonly state: Extract<TaskState, 'completed' | 'failed' | 'cancelled' | 'unknown'>;
  /** Absent for `completed`. */
  readonly code?: string;
  readonly message: string;
  readonly result?: unknown;
}

export interface ApiTask extends Omit<TaskRecord, 'body'> {
  readonly api: ApiBody;
  /** The decider's usage so far. */
  readonly spent?: Spent | undefined;
}

/** Undefined for a task of an interact client, which has no order. */
export function apiTaskOf({ body, ...record }: TaskRecord): ApiTask | undefined {
  const api = trustApi(body);
  return api && { ...record, api, spent: trustPart({ body })?.memory?.spent };
}

/** The task that runs in a tab. */
export async function taskAt(
  ledger: Pick<Ledger, 'openTasks'>,
  runtime_id: string,
): Promise<ApiTask | undefined> {
  const tasks = (await ledger.openTasks()).flatMap((task) => apiTaskOf(task) ?? []);
  return tasks.find(({ state, api }) => state !== 'queued' && api.place?.id === runtime_id);
}

/** Reads the format of `bodyWith`. */
function trustApi({ api }: JsonObject): ApiBody | undefined {
  return api as unknown as ApiBody | undefined;
}

/** The decider's query: the prompt, with the messages sent before the start. */
export const queryOf = ({ order, words, prompted }: ApiBody): string =>
  [order.prompt, ...words.slice(0, prompted ?? 0)].join('\n').slice(0, LIMITS.query.value);

export function bodyWith(body: JsonObject, api: ApiBody): JsonObject {
  return { ...body, api: JSON.parse(JSON.stringify(api)) };
}

/** A task as people, programs and agents see it. Times are in milliseconds since 1970. */
export interface TaskView {
  readonly task_id: string;
  readonly session_id: string;
  readonly state: TaskState;
  /** Why the task is in this state, and what to do about it. */
  readonly note?: string;
  /** The open question to a person. */
  readonly question?: string;
  readonly prompt: string;
  readonly url?: string;
  readonly runtime?: string;
  readonly schema?: JsonObject;
  readonly priority: number;
  readonly timeout: number;
  /** The task host that runs or ran the task. */
  readonly runs_on?: string;
  readonly plan?: Plan;
  readonly steps: number;
  /** The model's usage so far; absent without a model. */
  readonly usage?: TaskUsage;
  /** Limits; a task-protocol client has none. The time limit counts running time (`timeout`). */
  readonly budget?: Budgets;
  /** Final message; with an error, the cause. */
  readonly message?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly retry_of?: string;
  readonly retried_as?: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly updated_at: number;
  readonly settled_at: number | null;
}

export function viewOf({ api, spent, ...record }: ApiTask, note?: string): TaskView {
  const { order, place, question, trace, plan, end, started_at, retry_of, retried_as } = api;
  const { prompt, url, runtime, schema, timeout_ms } = order;
  return {
    ...{ task_id: record.task_id, session_id: record.session_id, state: record.state },
    ...(note !== undefined && { note }),
    ...(question !== null && { question }),
    ...{ prompt, ...(url && { url }), ...(runtime && { runtime }), ...(schema && { schema }) },
    ...{ priority: record.priority, timeout: timeout_ms, steps: trace.length },
    ...{ ...(place && { runs_on: place.id }), ...(plan && { plan }) },
    ...(spent && spent.input_tokens > 0 && { usage: usageOf(spent) }),
    ...(place?.kind !== 'client' && { budget: budgetOf(order) }),
    ...(end && { message: end.message }),
    ...(end?.result !== undefined && { result: end.result }),
    ...(end?.code !== undefined && { error: { code: end.code, message: end.message } }),
    ...{ ...(retry_of && { retry_of }), ...(retried_as && { retried_as }) },
    ...{ created_at: record.created_at, started_at: started_at ?? null },
    ...{ updated_at: record.updated_at, settled_at: record.settled_at },
  };
}
