import type { InteractErrorCode } from '@drawbridge/protocol/http';

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
