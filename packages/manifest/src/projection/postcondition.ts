import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { isTrue } from '../expression/truth.ts';
import type { CheckPostcondition, PostconditionScope } from '../workflow/workflow-host.ts';
import {
  type Postcondition,
  readDeclaredPostcondition,
  readWorkflowPostcondition,
} from './postcondition-spec.ts';
import { evaluateWithin, type StateSource, takeReading } from './state-reading.ts';

/**
 * Reads the page again after a tool ran. Throws `state_postcondition_failed` unless every postcondition of
 * the workflow and of the map's projections holds.
 */
export function postconditionCheck(source: StateSource, tool: string): CheckPostcondition {
  return async (declared, made) => {
    for (const postcondition of postconditionsOf(source, tool, declared)) {
      await verify(source, tool, postcondition, made);
    }
  };
}

/** The workflow's own first, then those of the projections, in map order. */
function postconditionsOf({ projections }: StateSource, tool: string, own: unknown): Postcondition[] {
  const declared = projections.flatMap((projection) => {
    const all = 'postconditions' in projection ? projection.postconditions : undefined;
    if (!isObject(all) || !Object.hasOwn(all, tool)) return [];
    return [readDeclaredPostcondition(all[tool], projection.name)];
  });
  return own === undefined ? declared : [readWorkflowPostcondition(own, tool), ...declared];
}

async function verify(
  source: StateSource,
  tool: string,
  { projection: name, expression, failureMessage }: Postcondition,
  { input, steps, output }: PostconditionScope,
): Promise<void> {
  const { projection, state, extraction, observation } = await takeReading(source, name);
  if (expression === undefined) return;
  const { records, url } = extraction;
  const context = { state, records, url, projection: { name }, input, steps, output };
  if (isTrue(await evaluateWithin(source, projection, expression, context))) return;
  throw new BridgeError(
    'state_postcondition_failed',
    failureMessage ?? `${tool} ran, but ${name} does not show what it should have done.`,
    {
      evidence: {
        tool,
        projection: name,
        verify: expression,
        state_hash: observation.state_hash,
        diagnostics: observation.diagnostics,
      },
    },
  );
}
