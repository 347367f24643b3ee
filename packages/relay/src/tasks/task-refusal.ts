type RefusalCode =
  | 'invalid_request'
  | 'not_found'
  | 'task_over'
  | 'not_over'
  | 'not_running'
  | 'unsupported'
  | 'unavailable';

/** Why something that was asked about a task is not done, and what to do instead. */
export class TaskRefusal extends Error {
  override readonly name = 'TaskRefusal';
  readonly code: RefusalCode;
  readonly status: 400 | 404 | 409 | 503;
  /** Of the body, where one is to blame. */
  readonly field: string | undefined;

  constructor(code: RefusalCode, message: string, status: TaskRefusal['status'], field?: string) {
    super(message);
    this.code = code;
    this.status = status;
    this.field = field;
  }
}
