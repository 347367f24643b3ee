import { ERROR_CODES, type ErrorCode, type Severity } from './error-codes.ts';

export interface BridgeErrorDetails {
  readonly severity?: Severity;
  readonly recoverable?: boolean;
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error that crosses a wire. Its message says what failed and what to do next. */
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

  /** The wire form. `cause` stays at home: it may hold what the other side must not see. */
  toJSON() {
    const { code, message, severity, recoverable, evidence } = this;
    return { code, message, severity, recoverable, evidence };
  }
}

/** Makes an error that tells a peer what it did: its stack would be of ours, and takes longer than all the rest. */
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
