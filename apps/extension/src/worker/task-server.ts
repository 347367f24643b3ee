import { systemClock } from '@drawbridge/link';
import type { TaskEvent } from '@drawbridge/protocol';
import type { TabTasks } from '../interact/index.ts';
import { createTaskServerClient, type TaskServerClient, tasksInTabs } from '../task-server/index.ts';
import type { Settings, TaskServerState } from '../wire.ts';
import type { WorkerWords } from './words/en.ts';
import { isReason } from './words/worker-words.ts';

export interface TaskServerPorts {
  readonly tasks: Pick<TabTasks, 'tasks' | 'start'>;
  readonly pickTab: () => number | undefined;
  readonly onChange: () => void;
  readonly words: () => WorkerWords;
}

/** Client of contract 5, off by default (TSK-22). */
export function openTaskServer({ tasks, pickTab, onChange, words }: TaskServerPorts) {
  let client: TaskServerClient | undefined;
  let used = '';
  let state: TaskServerState = { kind: 'off' };
  const become = (next: TaskServerState) => {
    state = next;
    onChange();
  };
  return {
    state: (): TaskServerState =>
      state.kind === 'waiting' && isReason(state.why)
        ? { ...state, why: words().why[state.why](state.url) }
        : state,
    report: (taskId: string, event: TaskEvent) => client?.report(taskId, event),
    /** Connects, reconnects or disconnects according to the settings. */
    use({ taskServer }: Pick<Settings, 'taskServer'>): void {
      const wanted = JSON.stringify(taskServer);
      if (wanted === used) return;
      used = wanted;
      client?.close();
      client = undefined;
      become({ kind: 'off' });
      if (!taskServer.on) return;
      const { url, connectSeconds } = taskServer;
      try {
        client = createTaskServerClient({
          url,
          connectSeconds,
          open: (address) => new WebSocket(address),
          clock: systemClock,
          ...tasksInTabs(tasks, pickTab),
          onState: become,
        });
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        become({ kind: 'waiting', url, why, nextTryAt: 0 });
      }
    },
  };
}
