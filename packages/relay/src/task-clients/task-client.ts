import { RecentMap } from '@drawbridge/base';
import { type TaskMessage, tasks } from '@drawbridge/protocol';
import type { CoreClock } from '../core/ports.ts';
import { type ClientTask, createTaskRun, type RunningTask, type TaskRun } from './task-run.ts';

export interface TaskClientOptions {
  readonly client_id: string;
  readonly clock: CoreClock;
  readonly send: (text: string) => void;
  /** Terminates a client that does not answer. */
  readonly drop: () => void;
  /** Called when the client has become busy or free. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** One connected task-protocol extension, seen from the server. */
export type TaskClient = ReturnType<typeof createTaskClient>;

/** A client's report about a task, in order of arrival. */
export type TaskReport = Extract<
  TaskMessage,
  { readonly type: 'task_accepted' | 'task_rejected' | 'execution_event' }
>;

const PING_MS = 20_000;
const MISSED_PINGS = 2;
/** Wait before a client that is busy with its own work is asked again. */
const BUSY_MS = 5_000;
const REMEMBERED = 100;

export function createTaskClient(options: TaskClientOptions) {
  const { client_id, clock, send, drop, onChange, onError } = options;
  /** Sent tasks that may still report: running ones, and ones that were never answered. */
  const running = new RecentMap<string, RunningTask>(REMEMBERED);
  let unanswered = 0;
  let isClosed = false;
  let cancelBusy: (() => void) | undefined;

  const ping = (): void => {
    if (unanswered >= MISSED_PINGS) {
      drop();
      return;
    }
    unanswered += 1;
    send(JSON.stringify({ type: 'ping', timestamp: clock.now() }));
    cancel = clock.after(PING_MS, ping);
  };
  let cancel = clock.after(PING_MS, ping);

  const isElsewhereBusy = (): void => {
    cancelBusy?.();
    cancelBusy = clock.after(BUSY_MS, () => {
      cancelBusy = undefined;
      onChange();
    });
  };

  const receive = (text: string): void => {
    if (isClosed) return;
    let message: TaskMessage;
    try {
      message = tasks.parse(text);
    } catch {
      // TSK-29
      return;
    }
    if (message.type === 'pong') unanswered = 0;
    // Drops message types that only a server may send.
    else if (message.type !== 'ping' && message.type !== 'execute_task') {
      running.get(message.taskId)?.receive(message);
    }
  };

  return {
    client_id,
    isBusy: (): boolean => cancelBusy !== undefined || [...running.values()].some((task) => task.isThere()),
    run(task: ClientTask, on: (message: TaskReport) => void): TaskRun {
      const { run, running: sent } = createTaskRun({
        ...{ task, on, clock, onError },
        onChange(how) {
          const isOver = how === 'over' || how === 'busy';
          if (isOver && running.get(task.task_id) === sent) running.delete(task.task_id);
          if (how === 'busy') isElsewhereBusy();
          onChange();
        },
      });
      running.set(task.task_id, sent);
      const { task_id: taskId, prompt, metadata } = task;
      send(JSON.stringify({ type: 'execute_task', taskId, prompt, ...(metadata && { metadata }) }));
      onChange();
      return run;
    },
    receive,
    /** Called when the connection has ended. Idempotent. */
    closed(): void {
      if (isClosed) return;
      isClosed = true;
      cancel();
      cancelBusy?.();
      for (const task of [...running.values()]) task.lose();
      running.clear();
    },
  };
}
