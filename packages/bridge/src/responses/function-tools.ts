import type { FunctionNames } from './function-names.ts';

/** An entry of `tools` in a Responses request. */
export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A map's schema may have optional properties, which strict functions forbid. */
  readonly strict: false;
}

export interface OfferedAction {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

export function functionToolsOf(
  actions: readonly OfferedAction[],
  names: FunctionNames,
): readonly FunctionTool[] {
  return actions.map(({ name, description, input_schema }) => ({
    type: 'function',
    name: names.toFunction(name) ?? name,
    description,
    parameters: input_schema,
    strict: false,
  }));
}
