import { ERROR_CODES, type ErrorCode, type Severity } from './error-codes.ts';

export interface BridgeErrorDetails {
  readonly severity?: Severity;
  readonly recoverable?: boolean;
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The only error that crosses a wire. Each message names the failure and the next step. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError';
  readonly code: ErrorCode;
  readonly severity: Severity;
  readonly recoverable: boolean;
  readonly evidence: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: BridgeErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.severity = details.severity ?? ERROR_CODES[code].severity;
    this.recoverable = details.recoverable ?? ERROR_CODES[code].recoverable;
    this.evidence = details.evidence ?? {};
  }

  /** The wire form. `cause` is excluded, because it may contain private data. */
  toJSON() {
    const { code, message, severity, recoverable, evidence } = this;
    return { code, message, severity, recoverable, evidence };
  }
}

/**
 * Creates an error about a peer's mistake without a stack, which would show our code and cost more than the
 * rest.
 */
export function withoutStack<Made extends Error>(make: () => Made): Made {
  const limit: unknown = Reflect.get(Error, 'stackTraceLimit');
  // Only V8 has it: https://v8.dev/docs/stack-trace-api
  if (limit === undefined) return make();
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return make();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
}
