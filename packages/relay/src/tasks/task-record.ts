import type { Budgets, Spent } from '@drawbridge/brain';
import { LIMITS, type Plan, type TaskState } from '@drawbridge/protocol';
import type { StepRecord, TaskCheckpoint } from '@drawbridge/runtime/task';
import { parsePart } from '../interact/task-part.ts';
import type { JsonObject, TaskRecord } from '../ledger/records.ts';
import { budgetOf, type TaskUsage, usageOf } from './task-budget.ts';
import type { TaskOrder } from './task-order.ts';
import type { Place } from './task-queue.ts';

/**
 * `TaskRecord.body.api`: all that a task of this API has there, and nobody else writes. What stands beside it is the
 * mind's (interact/), and stays as it is.
 */
export interface ApiBody {
  readonly order: Omit<TaskOrder, 'priority'>;
  /** Those of people go first. */
  readonly asked_by?: 'person' | 'agent';
  readonly retry_of?: string;
  readonly retried_as?: string;
  readonly place?: Place;
  readonly started_at?: number;
  /** Null when nothing is asked. */
  readonly question: string | null;
  /** Where the task loop goes on after a restart. */
  readonly checkpoint?: TaskCheckpoint;
  /** What the person said, oldest first. */
  readonly words: readonly string[];
  /** So many of them came before it began, and are part of what it is asked; `checkpoint.heard` more reached the mind. */
  readonly prompted?: number;
  /** How long it has run, up to what was stored last. */
  readonly ran_ms?: number;
  /** What was done, to be done again without a model. */
  readonly trace: readonly StepRecord[];
  readonly plan?: Plan;
  readonly end?: TaskEnd;
}

export interface TaskEnd {
  readonly state: Extract<TaskState, 'completed' | 'failed' | 'cancelled' | 'unknown'>;
  /** `completed` has none. */
  readonly code?: string;
  readonly message: string;
  readonly result?: unknown;
}

export interface ApiTask extends Omit<TaskRecord, 'body'> {
  readonly api: ApiBody;
  /** What the mind has used for it so far. */
  readonly spent?: Spent | undefined;
}

/** Undefined for a task of somebody else: an interact client's, which has no order. */
export function apiTaskOf({ body, ...record }: TaskRecord): ApiTask | undefined {
  const api = parseApi(body);
  return api && { ...record, api, spent: parsePart({ body })?.memory?.spent };
}

/** As `bodyWith` stored it. */
function parseApi({ api }: JsonObject): ApiBody | undefined {
  return api as unknown as ApiBody | undefined;
}

/** What the mind is asked to do: the prompt, with what was said before it began. */
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
  /** Why it is in this state, and what to do about it. */
  readonly note?: string;
  /** What it asks a person, while it waits for the answer. */
  readonly question?: string;
  readonly prompt: string;
  readonly url?: string;
  readonly runtime?: string;
  readonly schema?: JsonObject;
  readonly priority: number;
  readonly timeout: number;
  /** Where it runs or ran. */
  readonly runs_on?: string;
  readonly plan?: Plan;
  readonly steps: number;
  /** What its model has used so far; none without a model. */
  readonly usage?: TaskUsage;
  /** What it may use; a client of the task protocol keeps none. Its time is that of running (`timeout`). */
  readonly budget?: Budgets;
  /** What it says at its end; with an error, what went wrong. */
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
