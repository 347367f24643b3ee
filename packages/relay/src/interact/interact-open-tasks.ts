import type { CoreClock } from '../core/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Json, TaskRecord } from '../ledger/records.ts';
import type { AgentSessions } from './agent-sessions.ts';
import { taskAudits } from './task-audit.ts';
import { asJson, isOwn, trustPart } from './task-part.ts';

/** Open tasks that this port started, by session: a person may stop them. */
export interface InteractOpenTasks {
  readonly record: (task: Pick<TaskRecord, 'session_id' | 'task_id' | 'settled_at'>) => void;
  /** Ends the tasks of a session; false when there is none. */
  readonly stop: (session_id: string) => boolean;
  /** Resolves when the end of a task that is being stopped is stored. */
  readonly stopped: (task_id: string) => Promise<void>;
  readonly load: () => Promise<void>;
}

interface InteractOpenTasksOptions {
  readonly ledger: Pick<Ledger, 'task' | 'openTasks' | 'commit'>;
  readonly sessions: Pick<AgentSessions, 'appendMessages'>;
  readonly clock: Pick<CoreClock, 'now'>;
  readonly onError: (error: unknown) => void;
}

/** A client that has not called for this long is considered lost. */
const FORSAKEN_MS = 7 * 86_400_000;
const TRIES = 5;

export function createInteractOpenTasks({
  ledger,
  sessions,
  clock,
  onError,
}: InteractOpenTasksOptions): InteractOpenTasks {
  const open = new Map<string, Set<string>>();
  const stopping = new Map<string, Promise<void>>();

  const record: InteractOpenTasks['record'] = ({ session_id, task_id, settled_at }) => {
    const tasks = open.get(session_id) ?? new Set();
    if (settled_at === null) tasks.add(task_id);
    else tasks.delete(task_id);
    if (tasks.size > 0) open.set(session_id, tasks);
    else open.delete(session_id);
  };

  /** A step stored at the same moment changes the revision, so the row is read again. */
  const end = async (task_id: string, state: 'cancelled' | 'unknown'): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const task = await ledger.task(task_id);
      if (task === undefined || task.settled_at !== null || !isOwn(task)) return;
      const now = clock.now();
      const { revision, ...rest } = task;
      const { screenshot: _, ...part } = trustPart(task) ?? { screenshot: undefined };
      const interact: Json = asJson({ ...part, answer: endedAnswer({ ...task, state }) });
      const ended = { ...rest, state, settled_at: now, updated_at: now, body: { ...task.body, interact } };
      const details = { kind: 'task_result', task_id, status: state } as const;
      const message = {
        message_id: `${task_id}_end`,
        role: 'system',
        content: ENDS[state],
        details,
      } as const;
      const outcome = await sessions.appendMessages(task.session_id, state === 'cancelled' ? [message] : [], [
        { do: 'put_task', task: ended, if_revision: revision },
        ...taskAudits(task, ended, { text: trustPart(task)?.queries[0], problem: ENDS[state] }),
      ]);
      if (outcome.committed) return record(ended);
    }
    throw new Error(`The task ${task_id} could not be ended: others kept changing it. Stop it again.`);
  };

  return {
    record,
    stop(session_id) {
      const tasks = [...(open.get(session_id) ?? [])];
      for (const task_id of tasks) {
        const ending = end(task_id, 'cancelled')
          .catch(onError)
          .finally(() => stopping.delete(task_id));
        stopping.set(task_id, ending);
      }
      return tasks.length > 0;
    },
    stopped: async (task_id) => stopping.get(task_id),
    async load() {
      const tasks = (await ledger.openTasks()).filter(isOwn);
      for (const task of tasks) record(task);
      const since = clock.now() - FORSAKEN_MS;
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
