import { BridgeError } from '@drawbridge/protocol';
import { WORKFLOW_LIMITS, type WorkflowLimits } from './limits.ts';
import type { Plan, WorkflowRun } from './run.ts';
import { startStep } from './step-end.ts';

export interface StartOptions {
  readonly now: number;
  readonly timeoutMs?: number;
  readonly runtimeKey?: string;
  readonly limits?: Partial<WorkflowLimits>;
  /** By default, a settle that times out is no error. */
  readonly settleTimeoutIsFatal?: boolean;
}

/** Only creates the run; `continueRun` does the work. */
export function startRun(plan: Plan, input: unknown, options: StartOptions): WorkflowRun {
  const { now, timeoutMs, runtimeKey, settleTimeoutIsFatal = false } = options;
  const limits = { ...WORKFLOW_LIMITS, ...options.limits };
  refuseTooLong(plan, limits);
  const run: WorkflowRun = {
    version: 1,
    plan,
    input,
    limits,
    settle_timeout_is_fatal: settleTimeoutIsFatal,
    started_at: now,
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(runtimeKey !== undefined && { runtime_key: runtimeKey }),
    finished: [],
    current: { began_at: now, results: [], attempts: [] },
    phase: { kind: 'when' },
    trace: [],
  };
  return startStep(run, now);
}

/** Enforces the limits for workflows that were not validated. */
function refuseTooLong(
  { steps, written_steps = steps.length }: Plan,
  { maxSteps, maxItems }: WorkflowLimits,
) {
  if (written_steps > maxSteps) {
    throw invalid(`The workflow has ${written_steps} steps; the limit is ${maxSteps}.`, { limit: maxSteps });
  }
  for (const { id, for_each, max_items, retry_until, max_attempts } of steps) {
    const bound = (name: string, asked: number | undefined) => {
      if (asked !== undefined && asked <= maxItems) return;
      throw invalid(`Step "${id}" needs ${name}, at most ${maxItems}.`, {
        step: id,
        field: name,
        limit: maxItems,
      });
    };
    if (for_each !== undefined) bound('max_items', max_items);
    if (retry_until !== undefined) bound('max_attempts', max_attempts);
  }
}

const invalid = (message: string, evidence: Readonly<Record<string, unknown>>) =>
  new BridgeError('invalid_workflow', message, { evidence });
