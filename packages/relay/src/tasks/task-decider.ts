import { BridgeError } from '@drawbridge/protocol';
import type { TaskDecider } from '@drawbridge/runtime/task';
import type { Identity } from '../core/ports.ts';
import type { Interact } from '../interact/interact.ts';
import { budgetOf } from './task-budget.ts';
import { type ApiTask, queryOf } from './task-record.ts';
import type { TaskThoughts } from './task-thoughts.ts';

/** Errors that may pass; every other error ends the task. */
const TRANSIENT: ReadonlySet<string> = new Set(['task_busy', 'brain_failed', 'rate_limited']);

/** Calls the interact port in-process: the task's record exists before the first call. */
export function deciderOf(
  { interact }: Pick<Interact, 'interact'>,
  thoughts: Pick<TaskThoughts, 'publish'>,
  task: ApiTask,
): TaskDecider {
  const { task_id: taskId, session_id: sessionId, device_id, api } = task;
  const { schema } = api.order;
  const query = queryOf(api);
  // The task desk counts the time, excluding time that people take to answer.
  const budgets = { ...budgetOf(api.order), time_ms: Number.POSITIVE_INFINITY };
  const onThought = (thought: string): void => thoughts.publish(taskId, thought);
  // Acts as an owner with the requester's device id: an agent could not open the session that the relay made
  // for its task.
  const identity: Identity = { device_id, roles: ['owner'], label: 'Drawbridge', scopes: [] };
  return {
    async interact(request, signal, key) {
      const answer = await interact(
        identity,
        { ...request, taskId, sessionId },
        // The same answer to another question is still an answer.
        { signal, key, onThought, budgets, isAnswer: request.query !== query, ...(schema && { schema }) },
      ).finally(() => thoughts.publish(taskId, undefined));
      if ('success' in answer && answer.success) return answer.data;
      const { code, message } =
        'success' in answer ? answer : { code: 'internal', message: 'No answer came.' };
      throw new BridgeError('handler_failed', message, {
        recoverable: TRANSIENT.has(code),
        evidence: { code },
      });
    },
  };
}
