import type { CoreClock } from '../core/ports.ts';
import { notBackEnd, REJOIN_MS } from './task-ends.ts';
import { endMessage } from './task-messages.ts';
import { assign, isSame, type TaskHost, type Waiting, waitingReason } from './task-queue.ts';
import type { ApiTask, TaskEnd } from './task-record.ts';
import type { TaskRun, TaskRunners } from './task-runners.ts';
import type { TaskStore } from './task-store.ts';

export type Standing =
  | { readonly kind: 'queued'; readonly task: ApiTask }
  /** Was running when the relay stopped. */
  | { readonly kind: 'returning'; readonly task: ApiTask; readonly giveUp: () => void }
  | {
      readonly kind: 'running';
      readonly task: ApiTask;
      readonly run: TaskRun;
      /** Resolves when the end of the task is stored. */
      readonly done: Promise<void>;
    };

export interface OpenTasksPorts {
  readonly store: TaskStore;
  readonly runners: TaskRunners;
  readonly clock: CoreClock;
  /** Called when the reason why tasks wait may have changed. */
  readonly onWaiting: () => void;
  readonly onError: (error: unknown) => void;
}

/** Tasks that have not ended: which ones wait, and which run where. */
export function createOpenTasks({ store, runners, clock, onWaiting, onError }: OpenTasksPorts) {
  const open = new Map<string, Standing>();
  let isClosed = false;

  const of = <Kind extends Standing['kind']>(kind: Kind) =>
    [...open.values()].filter((each): each is Extract<Standing, { kind: Kind }> => each.kind === kind);

  /** One task at a time (TSK-53), and none on a host that a task may come back to. */
  const idleHosts = (all: readonly TaskHost[]): readonly TaskHost[] => {
    const held = [
      ...of('running').map(({ run }) => run.host),
      ...of('returning').flatMap(({ task }) => task.api.place ?? []),
    ];
    return all.filter((host) => host.busy !== true && !held.some((other) => isSame(host, other)));
  };

  const look = (): void => {
    if (isClosed) return;
    const all = runners.hosts();
    for (const { task, giveUp } of of('returning')) {
      const host = all.find((each) => task.api.place !== undefined && isSame(each, task.api.place));
      if (host === undefined) continue;
      giveUp();
      start(task, host);
    }
    const queued = of('queued').map(({ task }) => task);
    for (const { task_id, host } of assign(queued.map(waitingOf), idleHosts(all))) {
      const standing = open.get(task_id);
      if (standing !== undefined) start(standing.task, host);
    }
    onWaiting();
  };

  const start = (task: ApiTask, host: TaskHost): void => {
    const { task_id } = task;
    const run = runners.start(task, host);
    const finish = async (): Promise<void> => {
      const end = await run.over;
      if (end === 'requeue' || end === 'silent') {
        const waits = await store.change(task_id, () => ({ state: 'queued' }));
        open.set(task_id, { kind: 'queued', task: waits });
      } else if (end !== 'left') await settle(task_id, end);
    };
    const done = finish()
      .catch(onError)
      .finally(() => {
        if (open.get(task_id)?.kind === 'running') open.delete(task_id);
        look();
      });
    open.set(task_id, { kind: 'running', task, run, done });
  };

  const settle = (task_id: string, end: TaskEnd): Promise<ApiTask> =>
    store.change(
      task_id,
      ({ settled_at }) =>
        settled_at === null
          ? { state: end.state, settled_at: clock.now(), api: { end, question: null } }
          : undefined,
      [endMessage(task_id, end)],
    );

  return {
    /** Assigns waiting tasks to idle task hosts. */
    look,
    /** Stores the end of a task and publishes it. A task that has ended stays unchanged. */
    settle,
    get: (task_id: string): Standing | undefined => open.get(task_id),
    all: (): readonly Standing[] => [...open.values()],
    /** Starts the task when a task host is free. */
    queue: (task: ApiTask): void => void open.set(task.task_id, { kind: 'queued', task }),
    /** Resumes the task when its runtime is back, or ends it. */
    awaitBack(task: ApiTask): void {
      const giveUp = clock.after(REJOIN_MS, () => {
        open.delete(task.task_id);
        settle(task.task_id, notBackEnd(task)).catch(onError);
        look();
      });
      open.set(task.task_id, { kind: 'returning', task, giveUp });
    },
    /** Stops waiting for a task that does not run. */
    drop(standing: Standing): void {
      if (standing.kind === 'returning') standing.giveUp();
      open.delete(standing.task.task_id);
    },
    /** Why the task does not run, and what to do about it. */
    reasonOf(task: ApiTask): string | undefined {
      const standing = open.get(task.task_id);
      if (standing?.kind === 'queued') return waitingReason(waitingOf(task), runners.hosts());
      if (standing?.kind === 'running') {
        const asked = runners.asked(standing.run.host);
        return (
          asked &&
          `A person is asked first: ${asked.replace(/[.?]$/, '')}. Answer on any screen that you paired.`
        );
      }
      if (standing === undefined) return undefined;
      return `The relay was started again. It goes on when ${task.api.place?.id} is back.`;
    },
    /** Leaves running tasks as they are. Idempotent. */
    async close(): Promise<void> {
      const left = of('running');
      if (!isClosed) {
        isClosed = true;
        for (const { giveUp } of of('returning')) giveUp();
        for (const { run } of left) run.leave();
      }
      await Promise.all(left.map(({ done }) => done));
    },
  };
}

const waitingOf = ({ task_id, priority, created_at, api: { order, asked_by } }: ApiTask): Waiting => ({
  ...{ task_id, priority, created_at, isOfAgent: asked_by === 'agent' },
  ...{ hasSchema: order.schema !== undefined, hasLimits: order.limits !== undefined },
  ...(order.runtime !== undefined && { runtime: order.runtime }),
  ...(order.url !== undefined && { url: order.url }),
});
