import type { TaskState } from '@drawbridge/protocol';
import { blobOf } from './api.ts';
import { ask, parseAnswer, post } from './request.ts';

export interface Task {
  readonly task_id: string;
  readonly session_id: string;
  readonly state: TaskState;
  readonly note?: string;
  readonly question?: string;
  readonly prompt: string;
  readonly url?: string;
  /** The task's tab. */
  readonly runs_on?: string;
  readonly steps: number;
  /** The model's use, if one decided. The cost is in US dollars, where its price is known. */
  readonly usage?: { readonly tokens: number; readonly cost?: number };
  readonly message?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly created_at: number;
  readonly updated_at: number;
  readonly settled_at: number | null;
}

export interface TaskEventLine {
  readonly sequence: number;
  readonly role: string;
  readonly text: string;
  readonly details?: unknown;
}

const pathOf = (task_id: string): string => `/api/tasks/${encodeURIComponent(task_id)}`;

const control = (task_id: string, name: string): Promise<Task> =>
  parseAnswer(post(`${pathOf(task_id)}/${name}`));

export const taskApi = {
  list: async (): Promise<readonly Task[]> =>
    (await parseAnswer<{ readonly tasks: readonly Task[] }>(ask('/api/tasks'))).tasks,
  /** Idempotent by `key`. */
  start: (order: { readonly prompt: string; readonly url?: string }, key: string): Promise<Task> =>
    parseAnswer(ask('/api/tasks', { method: 'POST', body: order, headers: { 'idempotency-key': key } })),
  controls: {
    pause: (task_id: string) => control(task_id, 'pause'),
    takeover: (task_id: string) => control(task_id, 'takeover'),
    goOn: (task_id: string) => control(task_id, 'resume'),
    retry: (task_id: string) => control(task_id, 'retry'),
  },
  answer: (task_id: string, answer: string): Promise<Task> =>
    parseAnswer(post(`${pathOf(task_id)}/answer`, { answer })),
  cancel: (task_id: string): Promise<Task> => parseAnswer(ask(pathOf(task_id), { method: 'DELETE' })),
  eventsUrl: (task_id: string): string => `${pathOf(task_id)}/events`,
  trace: (task_id: string): Promise<Blob> => blobOf(`${pathOf(task_id)}/trace`),
};
