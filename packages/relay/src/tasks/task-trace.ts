import type { TaskTrace } from '@drawbridge/runtime/task';
import type { ApiTask } from './task-record.ts';

/** Steps of a task, replayable without a model. */
export function traceOf({ api: { order, trace } }: ApiTask): TaskTrace {
  const start = order.url ?? trace[0]?.before.url ?? 'about:blank';
  return { trace: 1, query: order.prompt, start, steps: trace };
}
