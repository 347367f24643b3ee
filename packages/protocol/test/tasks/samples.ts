import type { TASK_MESSAGES } from '../../src/tasks/messages.ts';
import type { SamplesOf } from '../wire/samples-of.ts';

const taskId = 'task-1';

/** One valid message of each type, with every field it may carry. */
export const TASK_SAMPLES: SamplesOf<typeof TASK_MESSAGES> = {
  execute_task: {
    type: 'execute_task',
    taskId,
    prompt: 'Put two packets of tea into the cart',
    metadata: { priority: 1, timeout: 30_000 },
  },
  task_accepted: { type: 'task_accepted', taskId, timestamp: 1_697_097_600_000 },
  task_rejected: {
    type: 'task_rejected',
    taskId,
    reason: 'No active tab found',
    timestamp: 1_697_097_600_000,
  },
  execution_event: {
    type: 'execution_event',
    taskId,
    event: {
      actor: 'navigator',
      state: 'act.ok',
      type: 'execution',
      timestamp: 1_697_097_601_000,
      data: { taskId, step: 1, maxSteps: 5, details: 'Clicked the button' },
    },
    timestamp: 1_697_097_601_500,
  },
  ping: { type: 'ping', timestamp: 1_697_097_600_000 },
  pong: { type: 'pong', timestamp: 1_697_097_600_001 },
};
