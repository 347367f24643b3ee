import { BridgeError, LIMITS, REJECTION_REASONS, tasks } from '@drawbridge/protocol';

export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** A task that a server asks for. */
export interface ServerTask {
  readonly taskId: string;
  readonly prompt: string;
  /** `metadata.timeout`. */
  readonly timeoutMs?: number;
}

/** Why a task is not started. Thrown by `startTask` too; whatever else it throws is `Task execution failed` (TSK-38). */
export class TaskRefusal extends Error {
  override readonly name = 'TaskRefusal';
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason) {
    super(reason);
    this.reason = reason;
  }
}

const [BUSY, BAD_TASK_ID, BAD_PROMPT, NO_TAB, FAILED] = REJECTION_REASONS;
export const REASONS = { BUSY, BAD_TASK_ID, BAD_PROMPT, NO_TAB, FAILED } as const;

/** TSK-34, TSK-36: an `execute_task` is answered whatever is in it, for the first reason of TSK-39. */
export function readOrder(message: Readonly<Record<string, unknown>>, isBusy: () => boolean): ServerTask {
  const { taskId, prompt } = message;
  if (!isText(taskId, LIMITS.task_id.value)) throw new TaskRefusal(REASONS.BAD_TASK_ID);
  // Of blanks alone nobody can tell what to do.
  if (!isText(prompt, LIMITS.prompt.value) || prompt.trim() === '') throw new TaskRefusal(REASONS.BAD_PROMPT);
  if (isBusy()) throw new TaskRefusal(REASONS.BUSY);
  const timeoutMs = timeoutIn(message);
  return { taskId, prompt, ...(timeoutMs !== undefined && { timeoutMs }) };
}

const isText = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= limit;

/** TSK-35 */
function timeoutIn(message: Readonly<Record<string, unknown>>): number | undefined {
  try {
    const order = tasks.read(message);
    return order.type === 'execute_task' ? order.metadata?.timeout : undefined;
  } catch (error) {
    if (error instanceof BridgeError) throw new TaskRefusal(REASONS.FAILED);
    throw error;
  }
}
