import type { TaskView } from '@drawbridge/protocol/http';
import { requestOf } from '@drawbridge/protocol/http-call';
import { blobOf } from './api.ts';
import { call } from './request.ts';

export type Task = TaskView;

export interface TaskEventLine {
  readonly sequence: number;
  readonly role: string;
  readonly text: string;
  readonly details?: unknown;
}

export const taskApi = {
  list: async () => (await call('GET /api/tasks')).tasks,
  /** Idempotent by `key`. */
  start: (body: { readonly prompt: string; readonly url?: string }, key: string) =>
    call('POST /api/tasks', { body }, { headers: { 'idempotency-key': key } }),
  controls: {
    pause: (task_id: string) => call('POST /api/tasks/{task_id}/pause', { task_id }),
    takeover: (task_id: string) => call('POST /api/tasks/{task_id}/takeover', { task_id }),
    goOn: (task_id: string) => call('POST /api/tasks/{task_id}/resume', { task_id }),
    retry: (task_id: string) => call('POST /api/tasks/{task_id}/retry', { task_id }),
  },
  answer: (task_id: string, answer: string) =>
    call('POST /api/tasks/{task_id}/answer', { task_id, body: { answer } }),
  cancel: (task_id: string) => call('DELETE /api/tasks/{task_id}', { task_id }),
  eventsUrl: (task_id: string): string => requestOf('GET /api/tasks/{task_id}/events', { task_id }).path,
  trace: (task_id: string): Promise<Blob> =>
    blobOf(requestOf('GET /api/tasks/{task_id}/trace', { task_id }).path),
};
