import { BridgeError } from '@drawbridge/protocol';
import {
  type InputOf,
  misfitOf,
  type OutputOf,
  type PrimitiveName,
  primitiveByName,
} from '@drawbridge/protocol/primitives';

/**
 * Calls the task's runtime. Returns its output; fails with a BridgeError. The `timeout_ms` of an action
 * leaves a person time to permit it, since the call's deadline limits the question too.
 */
export type BodyCall = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  timeout_ms?: number,
) => Promise<unknown>;

/** The runtime is another program: its answer is validated once, here. */
export async function callPrimitive<Name extends PrimitiveName>(
  call: BodyCall,
  name: Name,
  args: InputOf<Name>,
  signal: AbortSignal,
): Promise<OutputOf<Name>> {
  return parseOutput(name, await call(name, { ...args }, signal));
}

export function parseOutput<Name extends PrimitiveName>(name: Name, output: unknown): OutputOf<Name> {
  const schema = primitiveByName(name)?.output_schema;
  const misfit = schema && misfitOf(schema, output);
  if (misfit === undefined) return output as OutputOf<Name>;
  throw new BridgeError('invalid_result', `${name} answered with something else than it says it does.`, {
    evidence: { path: misfit.path },
  });
}
