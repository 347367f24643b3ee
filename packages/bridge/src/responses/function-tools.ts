import type { FunctionNames } from './function-names.ts';

/** What a Responses request lists under `tools`. */
export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A map's schema may leave properties optional, which strict functions may not. */
  readonly strict: false;
}

/** A tool of a map, or a primitive. */
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
