import { type Static, Type } from 'typebox';
import { LIMITS } from '../wire/limits.ts';

/** Meaning and timing of each message: docs/spec/tasks.md. */

const message = <Name extends string, Fields extends Record<string, Type.TSchema>>(
  name: Name,
  fields: Fields,
) => Type.Object({ type: Type.Literal(name), ...fields });

const TaskId = Type.String({ maxLength: LIMITS.task_id.value });

const UnixMilliseconds = Type.Number({ minimum: 0 });

/** The reasons that we send; a peer may send any. */
export const REJECTION_REASONS = [
  'Already executing a task',
  'Invalid taskId - must be a non-empty string',
  'Invalid prompt - must be a non-empty string',
  'No active tab found',
  'Task execution failed',
] as const;

const TaskEvent = Type.Object({
  actor: Type.Enum(['system', 'user', 'planner', 'navigator']),
  state: Type.Enum([
    'task.start',
    'task.ok',
    'task.fail',
    'task.pause',
    'task.resume',
    'task.cancel',
    'step.start',
    'step.ok',
    'step.fail',
    'step.cancel',
    'act.start',
    'act.ok',
    'act.fail',
  ]),
  type: Type.Literal('execution'),
  timestamp: UnixMilliseconds,
  data: Type.Object({
    taskId: TaskId,
    step: Type.Number({ minimum: 0 }),
    maxSteps: Type.Number({ minimum: 1 }),
    details: Type.String(),
  }),
});

export const TASK_MESSAGES = {
  execute_task: message('execute_task', {
    taskId: Type.String({ minLength: 1, maxLength: LIMITS.task_id.value }),
    prompt: Type.String({ minLength: 1, maxLength: LIMITS.prompt.value }),
    metadata: Type.Optional(
      Type.Object({ priority: Type.Optional(Type.Number()), timeout: Type.Optional(Type.Number()) }),
    ),
  }),
  task_accepted: message('task_accepted', { taskId: TaskId, timestamp: UnixMilliseconds }),
  task_rejected: message('task_rejected', {
    taskId: TaskId,
    reason: Type.String({ minLength: 1 }),
    timestamp: UnixMilliseconds,
  }),
  execution_event: message('execution_event', {
    taskId: TaskId,
    event: TaskEvent,
    timestamp: UnixMilliseconds,
  }),
  ping: message('ping', { timestamp: UnixMilliseconds }),
  pong: message('pong', { timestamp: UnixMilliseconds }),
} as const;

export type TaskEvent = Static<typeof TaskEvent>;
export type TaskMessage = Static<(typeof TASK_MESSAGES)[keyof typeof TASK_MESSAGES]>;
