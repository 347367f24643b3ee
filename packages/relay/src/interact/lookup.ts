import type { JsonObject, Ledger, TaskRecord } from '@drawbridge/ledger';
import { maySeeSession } from '../server/guard/permission.ts';
import { BRAIN_DEVICE } from './agent-sessions.ts';
import { taskIdOf } from './call-identity.ts';
import { InteractError } from './interact-error.ts';
import type { Call, CallSession } from './round.ts';
import { isOwn, trustPart } from './task-part.ts';
import { endedAnswer } from './task-stops.ts';

/** Finds the task and the session of a call. */
export interface Lookup {
  /** Undefined for a call that starts a task. */
  readonly task: (call: Call) => Promise<TaskRecord | undefined>;
  readonly session: (call: Call, task: TaskRecord | undefined) => Promise<CallSession>;
}

interface LookupOptions {
  readonly ledger: Pick<Ledger, 'task' | 'tasksBefore' | 'openTasks' | 'session' | 'tabSession'>;
  readonly uuid: () => string;
}

/** A caller that lost its connection asks again soon. */
const RECENT_TASKS = 10;

export function createLookup({ ledger, uuid }: LookupOptions): Lookup {
  const findTask = async ({ identity, request, options, hash }: Call): Promise<TaskRecord | undefined> => {
    const { device_id } = identity;
    const { taskId, sessionId } = request;
    if (taskId === undefined) {
      if (options.key !== undefined) return ledger.task(taskIdOf(device_id, options.key));
      const recent = await ledger.tasksBefore(null, RECENT_TASKS);
      const unheard = recent.find((task) => task.device_id === device_id && isUnheard(task, hash));
      return unheard ?? (options.isAccountClient ? waitingTask(device_id, sessionId) : undefined);
    }
    const task = await ledger.task(taskId);
    if (task === undefined || task.device_id !== device_id) {
      const problem = 'There is no such task. Leave taskId out to begin a new one.';
      throw new InteractError('task_not_found', problem, { path: 'taskId' });
    }
    if (sessionId !== undefined && sessionId !== task.session_id) {
      const problem = 'The task belongs to another session. Send its own sessionId, or none.';
      throw new InteractError('invalid_request', problem, { path: 'sessionId' });
    }
    return task;
  };

  /** INT-327: the person's answer comes without the task's id. */
  const waitingTask = async (
    device_id: string,
    session_id: string | undefined,
  ): Promise<TaskRecord | undefined> => {
    const waiting = (await ledger.openTasks()).filter(
      (task) =>
        task.state === 'waiting' &&
        task.device_id === device_id &&
        task.session_id === session_id &&
        isOwn(task),
    );
    return waiting.toSorted((one, other) => other.updated_at - one.updated_at)[0];
  };

  const findPlace = async (
    { identity, request }: Call,
    task: TaskRecord | undefined,
  ): Promise<CallSession> => {
    const session_id = task?.session_id ?? request.sessionId;
    if (session_id === undefined) return newCallSession(uuid());
    const [session, tab] = await Promise.all([ledger.session(session_id), ledger.tabSession(session_id)]);
    if (session === undefined) return newCallSession(session_id);
    const { proxy_device_id, metadata, head } = session;
    const isOurs = proxy_device_id === BRAIN_DEVICE;
    // Access to the task includes its session.
    const isSeen =
      task !== undefined ||
      tab?.device_id === identity.device_id ||
      maySeeSession(identity, session_id, proxy_device_id);
    if (!isOurs || !isSeen) {
      const problem = 'There is no such session for this device. Leave sessionId out to begin one.';
      throw new InteractError('session_not_found', problem, { path: 'sessionId' });
    }
    const name = metadata['display_name'];
    return { session_id, tab, head, title: typeof name === 'string' ? name : undefined, isNew: false };
  };

  return { task: findTask, session: findPlace };
}

const newCallSession = (session_id: string): CallSession => ({
  session_id,
  tab: undefined,
  title: undefined,
  isNew: true,
  head: 0,
});

/** Whether the caller disconnected before it got the answer to this request. */
export const isUnheard = (task: TaskRecord, hash: string): boolean => {
  const part = trustPart(task);
  return part?.undelivered === true && part.hash === hash;
};

/** The earlier answer to this call: a call is not decided twice. */
export function knownAnswer(task: TaskRecord, hash: string, key: string | undefined): JsonObject | undefined {
  const part = trustPart(task);
  const kept = key === undefined ? undefined : part?.answers.find((each) => each.key === key);
  if (kept !== undefined) return kept.data;
  if (isUnheard(task, hash)) return part?.answer;
  return task.settled_at === null ? undefined : endedAnswer(task);
}
