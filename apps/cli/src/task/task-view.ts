import type { MessageDetails } from '@drawbridge/protocol';

/** A task as the relay shows it. */
export interface TaskView {
  readonly task_id: string;
  readonly session_id: string;
  readonly state: string;
  readonly prompt: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly settled_at: number | null;
  readonly steps: number;
  /** What its model has used so far; the cost is in US dollars, where the relay knows the price. */
  readonly usage?: { readonly steps: number; readonly tokens: number; readonly cost?: number };
  /** What it may use. */
  readonly budget?: { readonly steps: number; readonly tokens: number; readonly cost?: number };
  /** Why it is in this state, and what to do about it. */
  readonly note?: string;
  /** What it asks a person, while it waits for the answer. */
  readonly question?: string;
  /** What it says at its end. */
  readonly message?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** One event of a task: a line of its session. */
export interface TaskEventView {
  readonly sequence: number;
  readonly role: string;
  readonly text: string;
  readonly details?: MessageDetails;
}

export type Followed =
  | { readonly kind: 'event'; readonly event: TaskEventView }
  /** What is thought of its next step, so far. */
  | { readonly kind: 'thought'; readonly text: string }
  /** Its state, its note or its question is another now. */
  | { readonly kind: 'state'; readonly task: TaskView }
  | { readonly kind: 'end'; readonly task: TaskView };

export const taskPath = ({ task_id }: Pick<TaskView, 'task_id'>): string =>
  `/api/tasks/${encodeURIComponent(task_id)}`;
