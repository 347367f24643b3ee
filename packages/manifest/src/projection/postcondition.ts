import { BridgeError } from '@drawbridge/protocol';
import { isObject, type Tool } from '@drawbridge/protocol/manifest';
import { isTrue } from '../expression/truth.ts';
import {
  type Postcondition,
  readDeclaredPostcondition,
  readWorkflowPostcondition,
} from './postcondition-spec.ts';
import { evaluateSlot, type StateSource, takeReading } from './state-reading.ts';

/** What a tool was called with and what it gave: a postcondition may compare the page with both. */
export interface FinishedRun {
  readonly input: unknown;
  readonly output: unknown;
}

/**
 * Reads the page again after a tool ran and fails with `state_postcondition_failed` unless everything
 * holds that its workflow and the projections of the map ask of it.
 */
export async function verifyPostconditions(
  source: StateSource,
  tool: Pick<Tool, 'name' | 'workflow'>,
  run: FinishedRun,
): Promise<void> {
  for (const postcondition of postconditionsOf(source, tool))
    await verify(source, tool.name, postcondition, run);
}

/** Its own first, then those that projections declare for it, in the order of the map. */
export function postconditionsOf(
  { projections }: Pick<StateSource, 'projections'>,
  { name, workflow }: Pick<Tool, 'name' | 'workflow'>,
): Postcondition[] {
  const own = workflow?.postcondition;
  const declared = projections.flatMap((projection) => {
    const all = 'postconditions' in projection ? projection.postconditions : undefined;
    if (!isObject(all) || !Object.hasOwn(all, name)) return [];
    return [readDeclaredPostcondition(all[name], projection.name)];
  });
  return own === undefined ? declared : [readWorkflowPostcondition(own, name), ...declared];
}

async function verify(
  source: StateSource,
  tool: string,
  postcondition: Postcondition,
  { input, output }: FinishedRun,
): Promise<void> {
  const { projection, state, extraction, observation } = await takeReading(source, postcondition.projection);
  const { expression, failureMessage } = postcondition;
  if (expression === undefined) return;
  const { records, url } = extraction;
  const context = { state, records, url, projection: { name: projection.name }, input, output };
  if (isTrue(await evaluateSlot(source, projection, expression, context))) return;
  throw new BridgeError(
    'state_postcondition_failed',
    failureMessage ?? `${tool} ran, but ${projection.name} does not show what it should have done.`,
    {
      evidence: {
        tool,
        projection: projection.name,
        verify: expression,
        state_hash: observation.state_hash,
        diagnostics: observation.diagnostics,
      },
    },
  );
}
