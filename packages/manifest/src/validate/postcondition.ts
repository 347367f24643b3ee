import { isObject, Postcondition } from '@drawbridge/protocol/manifest';
import { type CheckContext, checkExpressionSlot } from './check-context.ts';
import type { Findings } from './finding.ts';
import { type Part, partOf } from './part.ts';
import { required } from './references.ts';
import { checkShape } from './shape.ts';

/** The name of a projection, or an object with `projection` and a `verify` expression. */
export function* checkPostcondition(context: CheckContext, workflow: Part): Findings {
  const { postcondition } = workflow.value;
  const path = [...workflow.path, 'postcondition'];
  if (typeof postcondition === 'string')
    yield* required(context, workflow, 'postcondition', 'state_projections');
  else if (isObject(postcondition))
    yield* checkVerification(context, { value: postcondition, path }, ['projection']);
  else {
    const expected = 'the name of a projection, or an object with `projection` and `verify`';
    yield { code: 'wrong_value', path, message: `must be ${expected}`, expected };
  }
}

/** `verify` is one whole slot, bare or as `{ language, expression }`. */
export function* checkVerification(
  context: CheckContext,
  part: Part,
  needed: readonly string[] = [],
): Findings {
  yield* checkShape(
    { ...Postcondition, required: [...Postcondition.required, ...needed] },
    part.value,
    part.path,
  );
  yield* required(context, part, 'projection', 'state_projections');
  yield* checkExpressionSlot(part.value['verify'], [...part.path, 'verify']);
  const verify = partOf(part, 'verify');
  if (verify !== undefined)
    yield* checkExpressionSlot(verify.value['expression'], [...verify.path, 'expression']);
}
