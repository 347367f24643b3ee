import type { MessageDetails } from '@drawbridge/protocol';
import type { TaskView } from '@drawbridge/protocol/http';

export type { TaskView } from '@drawbridge/protocol/http';

/** An event of a task's session. */
export interface TaskEventView {
  readonly sequence: number;
  readonly role: string;
  readonly text: string;
  readonly details?: MessageDetails;
}

export type Followed =
  | { readonly kind: 'event'; readonly event: TaskEventView }
  /** The current thought on its next step. */
  | { readonly kind: 'thought'; readonly text: string }
  /** State, note or question has changed. */
  | { readonly kind: 'state'; readonly task: TaskView }
  | { readonly kind: 'end'; readonly task: TaskView };

export const taskPath = ({ task_id }: Pick<TaskView, 'task_id'>): string =>
  `/api/tasks/${encodeURIComponent(task_id)}`;
