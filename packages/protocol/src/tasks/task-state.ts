/**
 * State of a task, in the ledger and in the tasks API. `waiting`: for a person's answer. `unknown`: its
 * client was lost while running it.
 */
export type TaskState =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'unknown';
