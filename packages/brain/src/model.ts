import type { StepOptions, Usage } from './brain.ts';

/** What answers a question with an object of a given shape. `models/` has the ones that people pay for. */
export interface Model {
  /** `anthropic/claude-sonnet-4-5`: the key of its price. */
  readonly id: string;
  /** Throws a `ModelError` when no answer can be had. */
  readonly ask: (question: ModelQuestion, options?: StepOptions) => Promise<ModelAnswer>;
}

export interface ModelQuestion {
  /** The same in every step of a task, so that a provider can keep it in its cache. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** JSON Schema of the answer: closed objects, every field required, as strict modes want it. */
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
  /** Undefined when what came was no JSON. */
  readonly object: unknown;
  readonly usage: Tokens;
}

export type Tokens = Omit<Usage, 'cost'>;

/** In US dollars for a million tokens. `cached` is what a token read from the cache costs; `input` if absent. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

/** By `Model.id`. A model that is not in it has no cost. */
export type Prices = Readonly<Record<string, Price>>;

export type ModelErrorCode = 'unauthorized' | 'rate_limited' | 'refused' | 'unavailable' | 'aborted';

/** Why no answer came. It never carries a key, a header or a body. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
