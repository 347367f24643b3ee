import type { RuntimeView } from '@drawbridge/bridge';
import type { InputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import type { JSONObject, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Answer } from '../answer/answer.ts';
import type { Nonce } from '../answer/fence.ts';
import type { Looks } from '../answer/looks.ts';
import type { OutputStore } from '../answer/output-store.ts';
import type { TabRoute } from '../lent-tabs.ts';
import { numberAt } from '../loose-value.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type InputSchema = Readonly<JSONObject> & {
  readonly type: 'object';
  readonly properties: JSONObject;
};

/** A tool is data; its handler gets validated arguments. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: InputSchema;
  readonly annotations: ToolAnnotations;
  /** The schema comes from a page and may be hostile. */
  readonly isFromPage?: true;
  readonly handle: (args: Fields, context: ToolContext) => Promise<Answer>;
}

export interface ToolContext {
  readonly call: Call;
  readonly tabs: () => readonly RuntimeView[];
  readonly outputs: OutputStore;
  readonly maxTokens: number;
  readonly nonce: Nonce;
  readonly looks: Looks;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
}

export interface Called {
  readonly output: unknown;
  /** The current state of the answering tab. */
  readonly view: RuntimeView | undefined;
}

export interface CallSpec {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly route: TabRoute;
  readonly timeout_ms?: number;
}

/** Runs one bridge call for a tool. Fails with a CallFailure. */
type Call = (spec: CallSpec) => Promise<Called>;

/** The parameter of every tool, explained once in the instructions. */
export const TAB = { tab: { type: 'string' } } as const;

/** Hints without their defaults: every client pays for them. */
export const READ_ONLY = { readOnlyHint: true } as const;
export const ACTS = { readOnlyHint: false } as const;

const DEFAULT_TOKENS = 2_000;
const LEAST_TOKENS = 50;

/** The size of an answer that an agent asked for, within what it may get. */
export const tokensOf = (args: Fields, { maxTokens }: ToolContext): number =>
  Math.min(Math.max(numberAt(args, 'max_tokens') ?? DEFAULT_TOKENS, LEAST_TOKENS), maxTokens);

/** Calls a primitive, with arguments checked by the compiler. */
export function callPrimitive<Name extends PrimitiveName>(
  { call }: ToolContext,
  route: TabRoute,
  name: Name,
  args: InputOf<Name>,
  options: Pick<CallSpec, 'timeout_ms'> = {},
): Promise<Called> {
  return call({ name, arguments: { ...args }, route, ...options });
}
