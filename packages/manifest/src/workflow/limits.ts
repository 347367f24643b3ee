/** Limits of one run; each is an option. */
export interface WorkflowLimits {
  readonly maxSteps: number;
  /** Also the limit of `max_items` and `max_attempts`. */
  readonly maxItems: number;
  readonly maxExpressionBytes: number;
  readonly maxOutputBytes: number;
  /** Larger values in a trace are cut to their beginning. */
  readonly maxTraceBytes: number;
}

export const WORKFLOW_LIMITS: WorkflowLimits = {
  maxSteps: 25,
  maxItems: 50,
  maxExpressionBytes: 16_000,
  maxOutputBytes: 32_000,
  maxTraceBytes: 4_000,
};

export const SETTLE_TIMEOUT_MS = 8_000;
