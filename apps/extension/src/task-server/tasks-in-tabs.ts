import { BridgeError } from '@drawbridge/protocol';
import type { TabTasks } from '../interact/index.ts';
import { REASONS, TaskRefusal } from './task-order.ts';
import type { TaskServerOptions } from './task-server-client.ts';

/**
 * Runs a server's tasks in a lent tab. `pickTab` prefers the active one; undefined if none is lent (TSK-37).
 */
export function tasksInTabs(
  tabTasks: Pick<TabTasks, 'tasks' | 'start'>,
  pickTab: () => number | undefined,
): Pick<TaskServerOptions, 'isBusy' | 'startTask'> {
  const isRunning = (is: (tabId: number, from: string) => boolean): boolean =>
    Object.values(tabTasks.tasks()).some(
      ({ tabId, from, endedAt }) => endedAt === undefined && is(tabId, from),
    );
  return {
    isBusy: () => isRunning((_tabId, from) => from === 'server'),
    async startTask({ taskId, prompt, timeoutMs }) {
      const tabId = pickTab();
      if (tabId === undefined) throw new TaskRefusal(REASONS.NO_TAB);
      // The person's own task in that tab has priority.
      if (isRunning((busyTab) => busyTab === tabId)) throw new TaskRefusal(REASONS.BUSY);
      const limit = timeoutMs !== undefined && timeoutMs > 0 && { timeoutMs };
      try {
        await tabTasks.start({ tabId, query: prompt, from: 'server', taskId, ...limit });
      } catch (error) {
        // A task that was restored in the same moment.
        if (error instanceof BridgeError && error.code === 'task_busy') throw new TaskRefusal(REASONS.BUSY);
        throw error;
      }
    },
  };
}
