import { tasksChecks } from '../generated/tasks-checks.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, kindFrom } from '../wire/protocol.ts';
import { TASK_MESSAGES, type TaskMessage } from './messages.ts';

export const tasks = defineProtocol<TaskMessage>({
  noun: 'task message',
  maxChars: LIMITS.task_message.value,
  refuseWith: 'invalid_message',
  schemas: TASK_MESSAGES,
  checks: tasksChecks,
  kindOf: kindFrom('type'),
});
