import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { slotExpression } from './slot-expression.ts';

/** A condition after a tool ran, over a projection that is read again. */
export interface Postcondition {
  readonly projection: string;
  /** Absent: the projection only has to be readable and match its schema. */
  readonly expression?: string;
  readonly failureMessage?: string;
}

/** `postconditions[tool]` of a projection, which may name another projection. */
export function readDeclaredPostcondition(value: unknown, owner: string): Postcondition {
  if (!isObject(value)) throw invalid(owner, 'is no object with `verify`');
  const { verify } = value;
  const expression = slotExpression(isObject(verify) ? verify['expression'] : verify);
  if (expression === undefined) {
    throw invalid(owner, 'has no `verify` that is one whole {% … %}, or an object whose `expression` is one');
  }
  const { projection = owner, failure_message: message } = value;
  if (typeof projection !== 'string')
    throw invalid(owner, 'names its projection with something else than a text');
  return { projection, expression, ...(typeof message === 'string' && { failureMessage: message }) };
}

/**
 * `postcondition` of a workflow: a projection's name, or an object with `projection` and optional `verify`.
 */
export function readWorkflowPostcondition(value: unknown, tool: string): Postcondition {
  if (typeof value === 'string') return { projection: value };
  if (!isObject(value) || typeof value['projection'] !== 'string') {
    throw invalid(tool, 'is neither the name of a projection nor an object with `projection` and `verify`');
  }
  if (value['verify'] === undefined) return { projection: value['projection'] };
  return readDeclaredPostcondition(value, value['projection']);
}

const invalid = (owner: string, problem: string): BridgeError =>
  new BridgeError(
    'invalid_state_postcondition',
    `The postcondition of ${owner} ${problem}. Correct the map and validate it again.`,
    { evidence: { owner } },
  );
