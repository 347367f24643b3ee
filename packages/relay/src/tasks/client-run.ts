import { createMutex } from '@drawbridge/base';
import type { AgentMessage, AgentSessions } from '../interact/agent-sessions.ts';
import type { TaskReport } from '../task-clients/task-client.ts';
import type { TaskClients } from '../task-clients/task-clients.ts';
import type { TaskEnd as ClientEnd } from '../task-clients/task-run.ts';
import { FAILED_HERE_END } from './task-ends.ts';
import { eventMessage, statusMessage } from './task-messages.ts';
import type { TaskHost } from './task-queue.ts';
import type { ApiTask, TaskEnd } from './task-record.ts';
import type { RunOutcome, TaskRun } from './task-runners.ts';
import type { TaskStore } from './task-store.ts';

export interface ClientRunOptions {
  readonly clients: Pick<TaskClients, 'clients' | 'run' | 'onChange'>;
  readonly store: TaskStore;
  readonly sessions: Pick<AgentSessions, 'status'>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Sends the task to an extension that runs tasks itself, and stores its reports (TSK-61). */
export function startOnClient(task: ApiTask, host: TaskHost, options: ClientRunOptions): TaskRun {
  const { clients, store, sessions, onError } = options;
  const { task_id, session_id } = task;
  const left = Promise.withResolvers<'left'>();
  let told = 0;
  const inOrder = createMutex();

  const tell = (report: TaskReport): void => {
    const message = reportMessage(`${task_id}_told_${told}`, report);
    told += 1;
    inOrder(() => store.change(task_id, () => ({}), [message])).catch(onError);
  };

  const run = async (): Promise<RunOutcome> => {
    const { api } = await store.change(task_id, ({ api }) => ({
      ...{ state: 'running', api: { place: host, started_at: api.started_at ?? options.now() } },
    }));
    const { order } = api;
    const sent = clients.run(
      {
        ...{ task_id, client_id: host.id, schema: order.schema },
        prompt:
          order.url === undefined ? order.prompt : `${order.prompt}\n\nBegin on this page: ${order.url}`,
        metadata: { priority: task.priority, timeout: order.timeout_ms },
      },
      tell,
    );
    sessions.status(session_id, { kind: 'running_command', label: 'In the extension' });
    try {
      const acceptance = await sent.accepted;
      const end = await sent.ended;
      await inOrder(async () => {});
      return acceptance === 'busy' ? 'requeue' : endOf(end);
    } finally {
      sessions.status(session_id, { kind: 'idle' });
    }
  };

  const ran = run().catch((error: unknown): RunOutcome => {
    onError(error);
    return { ...FAILED_HERE_END, state: 'unknown' };
  });
  return {
    ...{ host, session_id },
    over: Promise.race([ran, left.promise]),
    // TSK-59: the task desk refuses to cancel before this is reached.
    cancel: () => {},
    pause: () => {},
    resume: () => {},
    takeOver: () => {},
    resumeAgent: () => {},
    receive: () => {},
    leave: () => left.resolve('left'),
  };
}

const CODES = { failed: 'failed', cancelled: 'cancelled', unknown: 'delivery_unknown' } as const;

/** TSK-60: the last message is the only result. */
function endOf({ state, details }: ClientEnd): TaskEnd {
  if (state === 'completed') return { state, message: details, result: details };
  return { state, code: CODES[state], message: details };
}

function reportMessage(message_id: string, report: TaskReport): AgentMessage {
  if (report.type === 'execution_event') return eventMessage(message_id, report.event);
  if (report.type === 'task_accepted')
    return statusMessage(message_id, 'The extension has accepted the task.');
  return statusMessage(message_id, `The extension has rejected the task: ${report.reason}`);
}
