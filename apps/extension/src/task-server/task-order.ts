import { BridgeError, LIMITS, REJECTION_REASONS, tasks } from '@drawbridge/protocol';

export type RejectionReason = (typeof REJECTION_REASONS)[number];

export interface ServerTask {
  readonly taskId: string;
  readonly prompt: string;
  /** `metadata.timeout`. */
  readonly timeoutMs?: number;
}

/**
 * Reason for not starting a task. Thrown by `startTask` too; other errors become `Task execution failed`
 * (TSK-38).
 */
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

/** TSK-34, TSK-36: every `execute_task` is answered, with the first applicable reason of TSK-39. */
export function readOrder(message: Readonly<Record<string, unknown>>, isBusy: () => boolean): ServerTask {
  const { taskId, prompt } = message;
  if (!isText(taskId, LIMITS.task_id.value)) throw new TaskRefusal(REASONS.BAD_TASK_ID);
  // A blank prompt is invalid.
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
