import type { OverLimit } from '../server/quotas/over-limit.ts';

type RefusalCode =
  | 'invalid_request'
  | 'not_found'
  | 'task_over'
  | 'not_over'
  | 'not_running'
  | 'unsupported'
  | 'rate_limited'
  | 'unavailable';

/** Why a request about a task was refused, and what to do instead. */
export class TaskRefusal extends Error {
  override readonly name = 'TaskRefusal';
  readonly code: RefusalCode;
  readonly status: 400 | 404 | 409 | 429 | 503;
  /** Field of the body that caused the refusal, if one did. */
  readonly field: string | undefined;
  readonly over: OverLimit | undefined;

  constructor(
    code: RefusalCode,
    message: string,
    status: TaskRefusal['status'],
    field?: string,
    over?: OverLimit,
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.field = field;
    this.over = over;
  }
}

export const overLimitRefusal = (over: OverLimit): TaskRefusal =>
  new TaskRefusal('rate_limited', over.message, 429, undefined, over);
