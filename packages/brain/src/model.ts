import type { StepOptions, Usage } from './brain.ts';

/** Answers a question with an object of a given schema. Providers are in `models/`. */
export interface Model {
  /** `anthropic/claude-sonnet-4-5`: key of its price. */
  readonly id: string;
  /** Throws a `ModelError` when there is no answer. */
  readonly ask: (question: ModelQuestion, options?: StepOptions) => Promise<ModelAnswer>;
}

export interface ModelQuestion {
  /** Constant during a task, so that a provider can cache it. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** JSON Schema of the answer: closed objects, every field required, for strict modes. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly ModelPart[];
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  /** Bare base64 of a JPEG. */
  | { readonly type: 'image'; readonly base64: string };

export interface ModelAnswer {
  /** Undefined when the answer was not JSON. */
  readonly object: unknown;
  readonly usage: Tokens;
}

export type Tokens = Omit<Usage, 'cost'>;

/** US dollars per million tokens. `cached` is the price of a cached token; `input` if absent. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

/** By `Model.id`. Other models have no cost. */
export type Prices = Readonly<Record<string, Price>>;

export type ModelErrorCode = 'unauthorized' | 'rate_limited' | 'refused' | 'unavailable' | 'aborted';

/** A model's failure, without keys, headers or bodies. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
