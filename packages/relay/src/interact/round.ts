import type { Budgets, Step } from '@drawbridge/brain';
import type { JsonObject, TabSessionRecord, TaskRecord } from '@drawbridge/ledger';
import type { InteractRequest } from '@drawbridge/protocol';
import type { Identity } from '../core/ports.ts';
import type { AgentMessage } from './agent-sessions.ts';
import {
  areOtherSteps,
  type Decided,
  type decisionMessage,
  endOf,
  planMessage,
  queryMessage,
  stepOutcome,
} from './step-messages.ts';
import { asJson, FRESH_PART, isOwn, OWN_KIND, type TaskPart } from './task-part.ts';
import { taskTypeOf } from './task-type.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** INT-75: the `Idempotency-Key` header. */
  readonly key?: string;
  /** Whether the query is a person's later message; when left out, a query that is new to the task is one. */
  readonly isAnswer?: boolean;
  /** JSON Schema of the result. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The partial thought, a few times a second, while a step is decided. */
  readonly onThought?: (thought: string) => void;
  /** INT-326, INT-327: the caller signed in as the public extension does. */
  readonly isAccountClient?: boolean;
  /** Limits of the task; the defaults when left out. */
  readonly budgets?: Budgets;
  /** Whether the caller has disconnected: then the same call counts as a repetition. */
  readonly isGone?: () => boolean;
}

export interface Call {
  readonly identity: Identity;
  readonly request: InteractRequest;
  readonly options: CallOptions;
  readonly hash: string;
  readonly stop: AbortController;
}

/** The session and tab of a call. */
export interface CallSession {
  readonly session_id: string;
  /** Undefined before the first call in this session. */
  readonly tab: TabSessionRecord | undefined;
  readonly title: string | undefined;
  readonly isNew: boolean;
  readonly head: number;
}

/** A call and its decision. */
export interface Round {
  readonly call: Call;
  readonly task_id: string;
  readonly session: CallSession;
  readonly prepared: InteractRequest;
  readonly step: Step;
  readonly answer: Decided['answer'];
  readonly received: number;
  /** Whether the query is already in the transcript. */
  readonly isStored: boolean;
}

const MAX_QUERIES = 50;
const MAX_ANSWERS = 8;

/** Messages of a round for people, starting with the outcome of the action before. */
export function messagesOf(
  { call, task_id, prepared, answer, isStored }: Round,
  before: TaskPart | undefined,
  part: TaskPart,
  decision: AgentMessage,
): readonly AgentMessage[] {
  const { plan } = answer;
  return [
    ...(before?.step ? [stepOutcome(before.step, prepared)] : []),
    ...(isStored ? [] : [queryMessage(task_id, before?.queries.length ?? 0, call.request.query)]),
    ...(plan && part.plan !== before?.plan ? [planMessage(task_id, plan, part.isReplanned ?? false)] : []),
    decision,
  ];
}

export function partAfter(
  { call, prepared, step, answer, received }: Round,
  before: TaskPart | undefined,
  data: JsonObject,
  decision: ReturnType<typeof decisionMessage>,
): TaskPart {
  const { request, hash, options } = call;
  const { queries, answers, messages } = before ?? FRESH_PART;
  const { details, message_id, content, said_at = 0 } = decision;
  const isEnd = endOf(answer.action) !== undefined;
  const steps = answer.plan?.steps.map(({ description, status }) => [description, status]);
  const plan = steps && JSON.stringify(steps);
  const isOther = plan !== undefined && before?.plan !== undefined && areOtherSteps(before.plan, plan);
  return {
    memory: step.memory,
    queries: queries.includes(request.query) ? queries : [...queries, request.query].slice(-MAX_QUERIES),
    answer: data,
    hash,
    undelivered: options.isGone?.() ?? false,
    answers:
      options.key === undefined ? answers : [...answers, { key: options.key, data }].slice(-MAX_ANSWERS),
    heard: received,
    messages: messages + 1,
    ...(details?.kind === 'step' &&
      details.status === 'running' && { step: { message_id, content, said_at, details } }),
    ...(plan !== undefined && { plan }),
    ...((isOther || before?.isReplanned === true) && { isReplanned: true }),
    ...(typeof prepared.screenshot === 'string' && !isEnd && { screenshot: prepared.screenshot }),
  };
}

export function taskAfter(
  { call, task_id, session, answer }: Round,
  task: TaskRecord | undefined,
  part: TaskPart,
  now: number,
): Omit<TaskRecord, 'revision'> {
  const interact = asJson(part);
  if (task !== undefined && !isOwn(task)) {
    const { revision: _, ...rest } = task;
    return { ...rest, body: { ...task.body, interact }, updated_at: now };
  }
  const end = endOf(answer.action);
  const taskType = taskTypeOf(call.request);
  return {
    task_id,
    session_id: session.session_id,
    device_id: call.identity.device_id,
    state: end ?? (answer.status === 'needs_user_input' ? 'waiting' : 'running'),
    priority: 0,
    body: {
      kind: OWN_KIND,
      prompt: call.request.query,
      ...(taskType && { taskType }),
      ...task?.body,
      interact,
    },
    created_at: task?.created_at ?? now,
    updated_at: now,
    settled_at: end === undefined ? null : now,
  };
}
