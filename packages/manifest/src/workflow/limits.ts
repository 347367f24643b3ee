/** Bounds of one run; every one is an option. */
export interface WorkflowLimits {
  readonly maxSteps: number;
  /** Also bounds what a step may ask for with `max_items` and `max_attempts`. */
  readonly maxItems: number;
  readonly maxExpressionBytes: number;
  readonly maxOutputBytes: number;
  /** Values of a trace beyond this are shown by their beginning. */
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
