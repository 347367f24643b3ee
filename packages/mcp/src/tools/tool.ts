import type { RuntimeView } from '@drawbridge/bridge';
import type { InputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import type { JSONObject, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Answer } from '../answer/answer.ts';
import type { OutputStore } from '../answer/output-store.ts';
import type { Call, Called, CallSpec } from '../call/call-run.ts';
import { routeTo, type TabRoute } from '../call/tab-route.ts';
import { textAt } from '../loose-value.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type InputSchema = Readonly<JSONObject> & {
  readonly type: 'object';
  readonly properties: JSONObject;
};

/** A tool is data; what its handler gets has passed the schema. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: InputSchema;
  readonly annotations: ToolAnnotations;
  /** A page wrote the schema, which may be hostile. */
  readonly isFromPage?: true;
  readonly handle: (args: Fields, hands: ToolHands) => Promise<Answer>;
}

export interface ToolHands {
  readonly call: Call;
  readonly tabs: () => readonly RuntimeView[];
  readonly outputs: OutputStore;
  readonly maxTokens: number;
}

/** The parameter that every tool has; what it means stands in the instructions, once. */
export const TAB = { tab: { type: 'string' } } as const;

export const LOOKS = { readOnlyHint: true, openWorldHint: true } as const;
export const ACTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;

export const tabRoute = (args: Fields, { tabs }: ToolHands): TabRoute => routeTo(textAt(args, 'tab'), tabs());

/** A call of a primitive, its arguments checked against the table by the compiler. */
export function callPrimitive<Name extends PrimitiveName>(
  { call }: ToolHands,
  route: TabRoute,
  name: Name,
  args: InputOf<Name>,
  options: Pick<CallSpec, 'timeout_ms'> = {},
): Promise<Called> {
  return call({ name, arguments: { ...args }, route, ...options });
}
