import { isDeepStrictEqual } from 'node:util';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import type { TaskTrace } from '@drawbridge/runtime/task';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { AgentSessions } from '../interact/agent-sessions.ts';
import { taskIdOf } from '../interact/call-identity.ts';
import { isPerson } from '../server/guard/permission.ts';
import { CANNOT_CANCEL, NO_SCHEMA } from '../task-clients/task-clients.ts';
import { createOpenTasks, type Standing } from './open-tasks.ts';
import { cancelledEnd, LOST_CLIENT_END } from './task-ends.ts';
import { schemaProblem, type TaskOrder } from './task-order.ts';
import { isNamed } from './task-queue.ts';
import { MAX_OPEN, type TaskQuota } from './task-quota.ts';
import { type ApiBody, type ApiTask, type TaskView, viewOf } from './task-record.ts';
import { overLimitRefusal, TaskRefusal } from './task-refusal.ts';
import type { TaskRun, TaskRunners } from './task-runners.ts';
import type { TaskStore } from './task-store.ts';

export interface TaskServicePorts {
  readonly store: TaskStore;
  readonly sessions: Pick<AgentSessions, 'open' | 'appendMessages' | 'onPersonMessage' | 'onInterrupt'>;
  readonly runners: TaskRunners;
  readonly quota: TaskQuota;
  readonly schemas: Pick<SchemaChecks, 'check'>;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly onError: (error: unknown) => void;
}

/** Accepts tasks, assigns them to task hosts, and passes people's messages to them. */
export interface TaskService {
  /** With a key, idempotent: the same order again returns the existing task. */
  readonly submit: (order: TaskOrder, by: Identity, key?: string) => Promise<TaskView>;
  readonly get: (task_id: string) => Promise<OwnedView | undefined>;
  /** The newest `limit` tasks created before the given one, or of all; of one device, or of all devices. */
  readonly list: (before: string | null, limit: number, device_id?: string) => Promise<readonly OwnedView[]>;
  readonly trace: (task_id: string) => Promise<TaskTrace>;
  readonly cancel: (task_id: string, why: string) => Promise<TaskView>;
  /** Holds the task before its next look or act. */
  readonly pause: (task_id: string) => Promise<TaskView>;
  readonly resume: (task_id: string) => Promise<TaskView>;
  /** Holds the task while a person works in the page, and drops a decision made in that time. */
  readonly takeOver: (task_id: string) => Promise<TaskView>;
  readonly resumeAgent: (task_id: string) => Promise<TaskView>;
  /** Answers the task's question, or steers the task. */
  readonly sendMessage: (task_id: string, text: string, by: Identity) => Promise<TaskView>;
  /** Runs the same order again as a new task. */
  readonly retry: (task_id: string, by: Identity) => Promise<TaskView>;
  /** Cancels all tasks that can be cancelled, or all of one device. */
  readonly cancelAll: (why: string, device_id?: string) => void;
  /** Receives the id of the changed task, or undefined when the reason why tasks wait has changed. */
  readonly onChange: (listener: (task_id?: string) => void) => () => void;
  /** Aborts when the task desk closes. */
  readonly stopped: AbortSignal;
  /** Leaves running tasks as they are: they resume after the next start. Idempotent. */
  readonly close: () => Promise<void>;
}

/** A task's view with its owner. */
export type OwnedView = TaskView & { readonly device_id: string };

const TITLE_CHARS = 80;

interface Arriving {
  readonly device_id: string;
  readonly asked_by: ApiBody['asked_by'];
}

/** Recovers the tasks that were open when the relay stopped. */
export async function createTaskService(ports: TaskServicePorts): Promise<TaskService> {
  const { store, sessions, runners, quota, schemas, id, onError } = ports;
  const listeners = new Set<(task_id?: string) => void>();
  const stopping = new AbortController();
  const tell = (task_id?: string): void => {
    for (const listener of listeners) listener(task_id);
  };
  const open = createOpenTasks({ ...ports, onWaiting: tell });

  /** Orders being stored, so that concurrent orders do not all see the same free quota. */
  const arriving = new Set<Arriving>();
  const usedBy = (device_id: string) => {
    const all: readonly Arriving[] = [
      ...arriving,
      ...open.all().map(({ task }) => ({ device_id: task.device_id, asked_by: task.api.asked_by })),
    ];
    return {
      openOwn: all.filter((each) => each.device_id === device_id).length,
      openOfAgents: all.filter((each) => each.asked_by === 'agent').length,
    };
  };

  const view = (task: ApiTask): OwnedView => ({
    ...viewOf(task, open.reasonOf(task)),
    device_id: task.device_id,
  });

  const known = async (task_id: string): Promise<ApiTask> => {
    const task = await store.get(task_id);
    if (task === undefined) throw new TaskRefusal('not_found', 'There is no such task.', 404);
    return task;
  };

  /** Refuses for a task that has ended. The caller must not await between this and its change. */
  const standingOf = ({ task_id, state, settled_at }: ApiTask): Standing => {
    const standing = open.get(task_id);
    if (standing !== undefined) return standing;
    const how = settled_at === null ? 'it is being ended' : state;
    throw new TaskRefusal('task_over', `The task is over (${how}). POST …/retry does it again.`, 409);
  };

  const control = async (task_id: string, act: (run: TaskRun) => void): Promise<TaskView> => {
    const standing = standingOf(await known(task_id));
    if (standing.kind !== 'running') throw new TaskRefusal('not_running', NOT_RUNNING, 409);
    if (standing.run.host.kind === 'client') throw new TaskRefusal('unsupported', ON_ITS_OWN, 409);
    act(standing.run);
    return view(await known(task_id));
  };

  const cancel = async (task_id: string, why: string): Promise<TaskView> => {
    const standing = standingOf(await known(task_id));
    if (standing.kind === 'running') {
      // TSK-59
      if (standing.run.host.kind === 'client') throw new TaskRefusal('unsupported', CANNOT_CANCEL, 409);
      standing.run.cancel(why);
      await standing.done;
      return view(await known(task_id));
    }
    open.drop(standing);
    return view(await open.settle(task_id, cancelledEnd(why)));
  };

  /** `isWritten`: the text is already in the session's transcript. */
  const hear = async (task_id: string, text: string, isWritten: boolean): Promise<TaskView> => {
    const standing = standingOf(await known(task_id));
    const isElsewhere = standing.kind === 'running' && standing.run.host.kind === 'client';
    if (isElsewhere) throw new TaskRefusal('unsupported', ON_ITS_OWN, 409);
    const said = { message_id: id('msg'), role: 'user', content: text } as const;
    const task = await store.change(
      task_id,
      ({ api }) => ({ api: { words: [...api.words, text] } }),
      isWritten ? [] : [said],
    );
    const now = open.get(task_id);
    if (now?.kind === 'running') now.run.receive(task.api.words);
    return view(task);
  };

  /** The task that this key has started, unless its order was another. */
  const repeated = async (task_id: string, order: TaskOrder): Promise<TaskView | undefined> => {
    const task = await store.get(task_id);
    if (task === undefined) return undefined;
    const before = { ...task.api.order, priority: task.priority };
    if (isDeepStrictEqual(before, order)) return view(task);
    throw new TaskRefusal('invalid_request', OTHER_ORDER, 409, 'Idempotency-Key');
  };

  const submit = async (
    order: TaskOrder,
    by: Identity,
    { key, retry_of }: { readonly key?: string | undefined; readonly retry_of?: string } = {},
  ): Promise<TaskView> => {
    if (stopping.signal.aborted) throw new TaskRefusal('unavailable', STOPPING, 503);
    if (open.all().length >= MAX_OPEN) throw new TaskRefusal('unavailable', TOO_MANY, 503);
    const { priority, ...rest } = order;
    const { runtime, schema, limits } = order;
    const named = runners.hosts().find((place) => runtime !== undefined && isNamed(place, runtime));
    // TSK-60
    if (named?.kind === 'client' && schema !== undefined) {
      throw new TaskRefusal('unsupported', NO_SCHEMA, 409, 'schema');
    }
    if (named?.kind === 'client' && limits !== undefined) {
      throw new TaskRefusal('unsupported', NO_LIMITS, 409, 'metadata');
    }
    // Two concurrent copies of one order also share a session.
    const idOf = (kind: string) => (key === undefined ? id(kind) : `${kind}_${taskIdOf(by.device_id, key)}`);
    const task_id = idOf('task');
    const there = key === undefined ? undefined : await repeated(task_id, order);
    if (there !== undefined) return there;
    const asked_by = isPerson(by) ? 'person' : 'agent';
    const over = quota.take(by, { bytes: JSON.stringify(order).length, ...usedBy(by.device_id) });
    if (over !== undefined) throw overLimitRefusal(over);
    const coming: Arriving = { device_id: by.device_id, asked_by };
    arriving.add(coming);
    try {
      const problem = await schemaProblem(order, schemas, by.device_id);
      if (problem !== undefined)
        throw new TaskRefusal('invalid_request', problem.message, 400, problem.field);
      const session_id = idOf('session');
      await sessions.open({ session_id, title: titleOf(order), isTask: true });
      const api: ApiBody = {
        ...{ order: rest, asked_by, question: null, words: [], trace: [] },
        ...(retry_of && { retry_of }),
      };
      const asked = { message_id: `${task_id}_asked`, role: 'user', content: order.prompt } as const;
      const task = await store.add({ task_id, session_id, device_id: by.device_id, priority, api }, [asked]);
      if (task === undefined) return (await repeated(task_id, order)) ?? view(await known(task_id));
      open.queue(task);
      open.look();
      return view(task);
    } finally {
      arriving.delete(coming);
    }
  };

  const recover = async (task: ApiTask): Promise<void> => {
    const { task_id, session_id, state, api } = task;
    await sessions.open({ session_id, title: titleOf(api.order), isTask: true });
    if (state === 'queued' || api.place === undefined) open.queue(task);
    else if (api.place.kind === 'client') await open.settle(task_id, LOST_CLIENT_END);
    else open.awaitBack(task);
  };

  const inSession = (session_id: string): Standing | undefined =>
    open.all().find(({ task }) => task.session_id === session_id);
  const answerOver = async (session_id: string): Promise<void> => {
    const [over] = await store.before(null, 1, (task) => task.session_id === session_id);
    const message = { message_id: id('msg'), role: 'system', content: OVER } as const;
    if (over !== undefined) await sessions.appendMessages(session_id, [message]);
  };
  const isStoppable = (standing: Standing): boolean =>
    standing.kind !== 'running' || standing.run.host.kind === 'runtime';
  const refusalWords = (error: unknown): string => {
    if (error instanceof TaskRefusal) return error.message;
    throw error;
  };
  const ignoreRefusal = (error: unknown): void => {
    if (!(error instanceof TaskRefusal)) onError(error);
  };

  for (const task of await store.open()) {
    // The other tasks continue, and the next start tries this one again.
    await recover(task).catch((cause: unknown) => {
      const message = `Task ${task.task_id} could not be taken up. Cancel it, or restart the relay.`;
      onError(Object.assign(new Error(message, { cause }), { code: 'task_not_taken_up' }));
    });
  }
  const stops = [
    runners.onHostsChanged(open.look),
    store.onChange(({ task_id }) => tell(task_id)),
    sessions.onPersonMessage(async ({ session_id, content }) => {
      const standing = inSession(session_id);
      const heard = standing ? hear(standing.task.task_id, content, true) : answerOver(session_id);
      return heard.then(() => undefined, refusalWords);
    }),
    sessions.onInterrupt((session_id) => {
      const standing = inSession(session_id);
      if (standing === undefined || !isStoppable(standing)) return false;
      cancel(standing.task.task_id, 'A person stopped it.').catch(ignoreRefusal);
      return true;
    }),
  ];
  open.look();

  return {
    stopped: stopping.signal,
    submit: (order, by, key) => submit(order, by, { key }),
    get: async (task_id) => {
      const task = await store.get(task_id);
      return task && view(task);
    },
    list: async (before, limit, device_id) =>
      (await store.before(before, limit, (task) => (device_id ?? task.device_id) === task.device_id)).map(
        view,
      ),
    trace: async (task_id) => traceOf(await known(task_id)),
    cancel,
    async sendMessage(task_id, text, by) {
      const over = quota.takeBytes(by, text.length);
      if (over !== undefined) throw overLimitRefusal(over);
      return hear(task_id, text, false);
    },
    pause: (task_id) => control(task_id, (run) => run.pause()),
    resume: (task_id) => control(task_id, (run) => run.resume()),
    takeOver: (task_id) => control(task_id, (run) => run.takeOver()),
    resumeAgent: (task_id) => control(task_id, (run) => run.resumeAgent()),
    async retry(task_id, by) {
      const task = await known(task_id);
      if (task.settled_at === null) throw new TaskRefusal('not_over', NOT_OVER, 409);
      const again = await submit({ ...task.api.order, priority: task.priority }, by, { retry_of: task_id });
      await store.change(task_id, () => ({ api: { retried_as: again.task_id } }));
      return again;
    },
    cancelAll(why, device_id) {
      for (const standing of open.all()) {
        const { task } = standing;
        const isMeant = device_id === undefined || task.device_id === device_id;
        if (isMeant && isStoppable(standing)) cancel(task.task_id, why).catch(ignoreRefusal);
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      stopping.abort();
      for (const stop of stops) stop();
      await open.close();
    },
  };
}

const STOPPING = 'The relay is stopping. Try again in a moment.';
const TOO_MANY = `${MAX_OPEN} tasks are open, which is the limit. Try again when some have ended.`;
const OTHER_ORDER = 'This Idempotency-Key has begun another task. Send a new key with a new order.';
const OVER = 'This task is over and reads no more messages. Start a new one.';
const NOT_RUNNING = 'The task isn’t running. GET it: its note says why.';
const NOT_OVER = 'The task is not over yet. Cancel it first, or wait for its end.';
const NO_LIMITS =
  'A client of the task protocol does not count its usage. Leave out the max_… fields, or use another browser.';
const ON_ITS_OWN =
  'The client that runs this task takes no messages. Wait for its end, or go to its browser.';

const titleOf = ({ prompt }: Pick<TaskOrder, 'prompt'>): string => {
  const line = prompt.trim().replace(/\s+/g, ' ');
  return line.length <= TITLE_CHARS ? line : `${line.slice(0, TITLE_CHARS - 1)}…`;
};

/** Steps of a task, replayable without a model. */
function traceOf({ api: { order, trace } }: ApiTask): TaskTrace {
  const start = order.url ?? trace[0]?.before.url ?? 'about:blank';
  return { trace: 1, query: order.prompt, start, steps: trace };
}
