import type { Json, TaskRecord } from '@drawbridge/ledger';
import type { CoreClock } from '../core/ports.ts';
import type { TaskRows } from '../tasks/task-rows.ts';
import { asJson, isOwn, OWN_KIND, trustPart } from './task-part.ts';

interface TaskStopsOptions {
  readonly rows: TaskRows;
  readonly clock: Pick<CoreClock, 'now'>;
  readonly onError: (error: unknown) => void;
}

/** A client that has not called for this long is considered lost. */
const FORSAKEN_MS = 7 * 86_400_000;

/** Ends tasks that this port started, because a person stops them or their client is lost. */
export function createTaskStops({ rows, clock, onError }: TaskStopsOptions) {
  const stopping = new Map<string, Promise<void>>();

  const end = async (task_id: string, state: 'cancelled' | 'unknown'): Promise<void> => {
    await rows.change(task_id, (task) => {
      if (task === undefined || task.settled_at !== null || !isOwn(task)) return undefined;
      const now = clock.now();
      const { screenshot: _, ...part } = trustPart(task) ?? { screenshot: undefined };
      const interact: Json = asJson({ ...part, answer: endedAnswer({ ...task, state }) });
      const row = { ...task, state, settled_at: now, updated_at: now, body: { ...task.body, interact } };
      const details = { kind: 'task_result', task_id, status: state } as const;
      const message = {
        ...{ message_id: `${task_id}_end`, role: 'system' as const },
        ...{ content: ENDS[state], details },
      };
      const audit = { text: trustPart(task)?.queries[0], problem: ENDS[state] };
      return { row, ...audit, messages: state === 'cancelled' ? [message] : [] };
    });
  };

  return {
    /** Ends the tasks of a session; false when there is none. */
    stop(session_id: string): boolean {
      const tasks = rows.openIn(session_id).filter(({ kind }) => kind === OWN_KIND);
      for (const { task_id } of tasks) {
        const ending = end(task_id, 'cancelled')
          .catch(onError)
          .finally(() => stopping.delete(task_id));
        stopping.set(task_id, ending);
      }
      return tasks.length > 0;
    },
    /** Resolves when the end of a task that is being stopped is stored. */
    stopped: async (task_id: string): Promise<void> => stopping.get(task_id),
    /** At the start: ends the tasks whose client is lost. */
    async load(): Promise<void> {
      const since = clock.now() - FORSAKEN_MS;
      const tasks = (await rows.open()).filter(isOwn);
      const forsaken = tasks.filter(({ updated_at }) => updated_at < since);
      for (const { task_id } of forsaken) await end(task_id, 'unknown');
    },
  };
}

const ENDS = {
  cancelled: 'A person stopped the task.',
  unknown: 'The client did not come back, so nobody can tell how far it came.',
};

/** INT-95: the answer of an ended task, however it ended. */
export function endedAnswer(task: Pick<TaskRecord, 'task_id' | 'session_id' | 'state' | 'body'>) {
  const { task_id: taskId, session_id: sessionId, state } = task;
  const last = trustPart(task)?.answer;
  const isEnd = last?.['status'] === 'completed' || last?.['status'] === 'failed';
  if (last !== undefined && isEnd) return last;
  const isDone = state === 'completed';
  const thought = state === 'cancelled' || state === 'unknown' ? ENDS[state] : 'The task has ended.';
  const plan = last?.['plan'];
  return asJson({
    ...{ thought, action: isDone ? 'finish()' : 'fail()', status: isDone ? 'completed' : 'failed' },
    ...{ taskId, sessionId },
    ...(plan !== undefined && { plan }),
  });
}
