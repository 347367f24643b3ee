import type { MessageDetails } from '@drawbridge/protocol';

/** A task as the relay returns it. */
export interface TaskView {
  readonly task_id: string;
  readonly session_id: string;
  readonly state: string;
  readonly prompt: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly settled_at: number | null;
  readonly steps: number;
  /** Usage of its model so far; the cost in US dollars, if the price is known. */
  readonly usage?: { readonly steps: number; readonly tokens: number; readonly cost?: number };
  /** Limits. */
  readonly budget?: { readonly steps: number; readonly tokens: number; readonly cost?: number };
  /** Reason for its state, and advice. */
  readonly note?: string;
  /** Open question to a person. */
  readonly question?: string;
  /** Final message. */
  readonly message?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

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
