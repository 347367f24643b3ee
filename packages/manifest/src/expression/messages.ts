/** Messages between a host and an isolate. Values are JSON text, never live objects. */
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

/** Sent once by an isolate that can take its first request. */
export const READY = 'ready';
