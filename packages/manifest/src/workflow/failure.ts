import { BridgeError, MAP_CODES } from '@drawbridge/protocol';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import type { Failure } from './run.ts';

/** Failure classes by which maps and agents plan their recovery. */
export type FailureClass =
  | 'overlay_interference'
  | 'postcondition_failed'
  | 'control_not_ready'
  | 'target_not_found';

export function failureOf(error: unknown): Failure {
  if (error instanceof BridgeError) return error.toJSON();
  // The message may be private, so only the error's class is included.
  const kind = error instanceof Error ? error.name : typeof error;
  return new BridgeError('handler_failed', `It failed unexpectedly (${kind}).`).toJSON();
}

export function toError({ code, message, severity, recoverable, evidence }: Failure): BridgeError {
  return new BridgeError(code, message, { severity, recoverable, evidence });
}

/**
 * Adds the step to a failure. Errors of the workflow and of expressions keep their code; a primitive's error
 * is in `evidence.error`.
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
