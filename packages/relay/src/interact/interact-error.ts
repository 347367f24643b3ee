import type { ErrorCode } from '@drawbridge/protocol';

/** Every error of the interact port, with its HTTP status. */
export const INTERACT_ERRORS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  task_not_found: 404,
  session_not_found: 404,
  invalid_task_state: 400,
  task_busy: 409,
  session_archived: 409,
  cancelled: 409,
  body_too_large: 413,
  rate_limited: 429,
  internal: 500,
  brain_failed: 502,
  unavailable: 503,
} as const satisfies Partial<Record<ErrorCode, number>>;

export type InteractErrorCode = keyof typeof INTERACT_ERRORS;

/** INT-40: the error as the caller receives it. */
export interface Failure {
  readonly success: false;
  readonly code: InteractErrorCode;
  readonly message: string;
  readonly path?: string;
}

export class InteractError extends Error {
  override readonly name = 'InteractError';
  readonly code: InteractErrorCode;
  readonly path: string | undefined;

  constructor(code: InteractErrorCode, message: string, more: { path?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.path = more.path;
  }
}

export function failureOf({ code, message, path }: InteractError): Failure {
  return { success: false, code, message, ...(path !== undefined && { path }) };
}
