import type { ErrorCode } from '@drawbridge/protocol';

/** An error as plain data, from which a host makes a `BridgeError`. */
export interface PageErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** The error class of page code, without the protocol's whole error table. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly code: ErrorCode;
  readonly evidence: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, evidence: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.evidence = evidence;
  }

  toJSON(): PageErrorData {
    return { code: this.code, message: this.message, evidence: this.evidence };
  }
}
