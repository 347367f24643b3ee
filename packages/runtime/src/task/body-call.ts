import { BridgeError } from '@drawbridge/protocol';
import {
  type InputOf,
  misfitOf,
  type OutputOf,
  type PrimitiveName,
  primitiveByName,
} from '@drawbridge/protocol/primitives';

/**
 * A call to the one runtime that a task is on. Gives its output; fails with a BridgeError. An act comes with a
 * `timeout_ms` that leaves a person time to permit it: the call's own limit is the time they have.
 */
export type BodyCall = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  timeout_ms?: number,
) => Promise<unknown>;

/** The runtime is another program: what it answers is held to the dictionary, once. */
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
