import { BridgeError, MAP_CODES } from '@drawbridge/protocol';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import type { Failure } from './run.ts';

/** Why a step failed, in the words that maps and agents plan their recovery by. */
export type FailureClass =
  | 'overlay_interference'
  | 'postcondition_failed'
  | 'control_not_ready'
  | 'target_not_found';

export function failureOf(error: unknown): Failure {
  if (error instanceof BridgeError) return error.toJSON();
  // Not meant for the other side, and perhaps not fit for it: only its kind is told.
  const kind = error instanceof Error ? error.name : typeof error;
  return new BridgeError('handler_failed', `It failed unexpectedly (${kind}).`).toJSON();
}

export function toError({ code, message, severity, recoverable, evidence }: Failure): BridgeError {
  return new BridgeError(code, message, { severity, recoverable, evidence });
}

/**
 * Names the step. An error of the workflow's or the expression's own keeps its code; what a primitive
 * failed with stands in `evidence.error`.
 */
export function failureOfStep(step: WorkflowStep, failure: Failure, item?: number): Failure {
  const own = failure.code in MAP_CODES;
  const evidence = {
    ...(own ? failure.evidence : { error: failure }),
    step: step.id,
    primitive: step.primitive,
    ...(item !== undefined && { item }),
    ...classified(failure),
  };
  return {
    ...failure,
    code: own ? failure.code : 'workflow_step_failed',
    message: `Step "${step.id}" (${step.primitive}) failed: ${failure.message}`,
    evidence,
  };
}

function classified(failure: Failure): { failure_class?: FailureClass } {
  const found = failureClassOf(failure);
  return found === undefined ? {} : { failure_class: found };
}

function failureClassOf({ code, evidence }: Failure): FailureClass | undefined {
  if (code === 'state_postcondition_failed') return 'postcondition_failed';
  if ('occluded_by' in evidence) return 'overlay_interference';
  if (code === 'target_not_found') return 'target_not_found';
  const notReady = code === 'state_mismatch' || code === 'workflow_settle_timeout';
  return notReady ? 'control_not_ready' : undefined;
}

export const failure = (...details: ConstructorParameters<typeof BridgeError>): Failure =>
  new BridgeError(...details).toJSON();
