/**
 * Where a task stands, in the ledger and in the tasks API. `waiting`: for a person's answer. `unknown`: it was given
 * to a client that was lost, so nobody can tell.
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
