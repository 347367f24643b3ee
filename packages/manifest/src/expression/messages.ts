/** What a host and an isolate say to each other. Values cross as JSON text: nothing live ever does. */
export interface EvaluationRequest {
  readonly id: number;
  readonly expression: string;
  readonly input?: string;
  readonly maxOutputBytes: number;
}

export type EvaluationAnswer =
  | { readonly id: number; readonly ok: true; readonly output?: string }
  | ({ readonly id: number; readonly ok: false } & Refusal);

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

type RefusalCode =
  | 'invalid_expression'
  | 'disallowed_expression_function'
  | 'expression_evaluation_failed'
  | 'expression_output_too_large';

/** Said once by an isolate, when it can take its first request. */
export const READY = 'ready';
