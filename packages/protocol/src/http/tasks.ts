import { type Static, Type } from 'typebox';
import type { Plan } from '../interact/response.ts';
import { defineRoutes, type Frozen, listOf, named, shape } from './route.ts';

const Text = Type.String();
const Time = Type.Integer({ description: 'Milliseconds since 1970.' });
const MaybeTime = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'Milliseconds since 1970.',
});
const Count = Type.Integer();
const Dollars = Type.Number({ description: 'In US dollars.' });

const TaskOrder = Type.Object(
  {
    prompt: Type.String({ minLength: 1, maxLength: 10_000 }),
    runtime: Type.Optional(Type.String({ description: 'Any idle one if absent.' })),
    url: Type.Optional(Type.String({ format: 'uri', description: 'Opened first; http or https.' })),
    schema: Type.Optional(shape<object>({ description: 'A JSON Schema that the result must fit.' })),
    metadata: Type.Optional(
      Type.Object({
        priority: Type.Optional(Type.Number({ default: 0, description: 'Higher runs first.' })),
        timeout: Type.Optional(
          Type.Number({
            ...{ minimum: 1, maximum: 86_400_000, default: 1_800_000 },
            description: 'Milliseconds of running; time spent waiting for a person does not count.',
          }),
        ),
        max_steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 50 })),
        max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 500_000 })),
        max_cost: Type.Optional(
          Type.Number({
            ...{ minimum: 0.0001, maximum: 1_000_000 },
            description: 'In US dollars; the price of the model must be set.',
          }),
        ),
      }),
    ),
  },
  { additionalProperties: false },
);

const Task = Type.Object({
  task_id: Text,
  session_id: Text,
  state: Type.Enum(['queued', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled', 'unknown']),
  note: Type.Optional(Type.String({ description: 'Why it is in this state, and what to do about it.' })),
  question: Type.Optional(Type.String({ description: 'The question for a person.' })),
  prompt: Text,
  url: Type.Optional(Text),
  runtime: Type.Optional(Text),
  schema: Type.Optional(shape<object>()),
  priority: Type.Number(),
  timeout: Type.Number(),
  runs_on: Type.Optional(Text),
  plan: Type.Optional(shape<Plan>()),
  steps: Count,
  message: Type.Optional(Text),
  usage: Type.Optional(
    Type.Object(
      {
        ...{ steps: Count, tokens: Count, input_tokens: Count, output_tokens: Count, cached_tokens: Count },
        cost: Type.Optional(
          Type.Number({ description: 'In US dollars; unknown where the model has no price.' }),
        ),
      },
      { description: 'Use so far; absent without a model.' },
    ),
  ),
  budget: Type.Optional(
    Type.Object(
      { steps: Count, tokens: Count, time_ms: Type.Number(), cost: Type.Optional(Dollars) },
      { description: 'The limits of use; a client of the task protocol has none.' },
    ),
  ),
  result: Type.Optional(Type.Unknown({ description: 'The result, which fits the schema if one was given.' })),
  error: Type.Optional(
    Type.Unsafe<{ readonly code: string; readonly message: string }>(
      Type.Object({ code: Type.Optional(Text), message: Type.Optional(Text) }),
    ),
  ),
  retry_of: Type.Optional(Text),
  retried_as: Type.Optional(Text),
  created_at: Time,
  started_at: MaybeTime,
  updated_at: Time,
  settled_at: MaybeTime,
});

/** Named types of these routes. */
export const TASK_SCHEMAS = { TaskOrder, Task };

const TaskView = named('Task', Task);
const task_id = 'The task.';
const ofTask = { tag: 'tasks', access: 'tasks', bytes: 1_048_576 } as const;
const key = {
  'Idempotency-Key': { description: 'The same request with the same key is accepted once.' },
} as const;

/** Browser tasks: for people, and for agents, which see only their own. */
export const TASKS = defineRoutes({
  'POST /api/tasks': {
    ...{ ...ofTask, operation: 'orderTask', summary: 'Start a browser task.', headers: key },
    ...{ body: named('TaskOrder', TaskOrder), reply: TaskView, status: 202 },
    refuses: ['invalid_request', 'unsupported', 'unavailable'],
  },
  'GET /api/tasks': {
    ...{ ...ofTask, operation: 'listTasks' },
    summary: 'The latest tasks, newest first: all for people, its own for an agent.',
    query: {
      before: { description: 'Only tasks created before this one.' },
      limit: { description: '50 unless given, at most 500.', schema: Type.Integer({ minimum: 1 }) },
    },
    ...{ reply: listOf('tasks', TaskView), refuses: ['invalid_request'] },
  },
  'GET /api/tasks/{task_id}': {
    ...{ ...ofTask, operation: 'getTask', summary: 'The state of a task.', params: { task_id } },
    ...{ reply: TaskView, refuses: ['not_found'] },
  },
  'DELETE /api/tasks/{task_id}': {
    ...{ ...ofTask, operation: 'cancelTask', summary: 'Cancel the task now.', params: { task_id } },
    ...{ reply: TaskView, refuses: ['not_found', 'task_over'] },
  },
  'GET /api/tasks/{task_id}/events': {
    ...{ ...ofTask, operation: 'followTask', params: { task_id } },
    summary: "The task's live events, until it ends.",
    description:
      'Server-sent events, each with the number of its line as `id`: `message`, `plan`, `step`, `task_result`; without one, `thought` while a model thinks, `state` when it changed and `end` with the task as it ended.',
    headers: { 'Last-Event-ID': { description: 'The last event received; `?after=` does the same.' } },
    stream: { type: 'text/event-stream', description: 'The events.' },
    refuses: ['invalid_request', 'not_found'],
  },
  'GET /api/tasks/{task_id}/trace': {
    ...{ ...ofTask, operation: 'taskTrace', params: { task_id } },
    summary: "The task's steps, to be run again without a model.",
    ...{ reply: shape<object>(), refuses: ['not_found'] },
  },
  'POST /api/tasks/{task_id}/answer': {
    ...{ ...ofTask, operation: 'answerTask', params: { task_id } },
    summary: "Answer the task's question, or steer it.",
    ...{ body: Type.Object({ answer: Text }), reply: TaskView },
    refuses: ['invalid_request', 'not_found', 'task_over'],
  },
  'POST /api/tasks/{task_id}/pause': {
    ...{ ...ofTask, operation: 'pauseTask', params: { task_id } },
    summary: 'Pause the task before its next look or action.',
    ...{ reply: TaskView, refuses: ['not_found', 'not_running'] },
  },
  'POST /api/tasks/{task_id}/resume': {
    ...{ ...ofTask, operation: 'resumeTask', summary: 'Resume the task.', params: { task_id } },
    ...{ reply: TaskView, refuses: ['not_found', 'not_running'] },
  },
  'POST /api/tasks/{task_id}/takeover': {
    ...{ ...ofTask, operation: 'takeOverTask', params: { task_id } },
    summary: 'Pause the task while a person works in the page.',
    ...{ reply: TaskView, refuses: ['not_found', 'not_running'] },
  },
  'POST /api/tasks/{task_id}/handback': {
    ...{ ...ofTask, operation: 'handBackTask', params: { task_id } },
    summary: 'Look at the page again and resume the task.',
    ...{ reply: TaskView, refuses: ['not_found', 'not_running'] },
  },
  'POST /api/tasks/{task_id}/retry': {
    ...{ ...ofTask, operation: 'retryTask', summary: 'Run the task again, as a new one.' },
    ...{ params: { task_id }, reply: TaskView, status: 202 },
    refuses: ['not_found', 'not_over', 'unavailable'],
  },
});

/** Extensions of the task protocol. */
export const TASK_CLIENTS = defineRoutes({
  'POST /api/task-clients': {
    ...{ operation: 'addTaskClient', tag: 'tasks', access: 'owner', bytes: 4_096, status: 201 },
    summary: 'The address for a new extension of the task protocol, shown only once.',
    body: Type.Object({ label: Type.Optional(Text) }),
    reply: Type.Object({ device_id: Text, path: Text }),
    refuses: ['invalid_request', 'not_found'],
  },
});

export type TaskView = Frozen<Static<typeof Task>>;
