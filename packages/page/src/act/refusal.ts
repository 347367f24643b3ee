import type { ErrorCode } from '@drawbridge/protocol';

/** Why nothing was done, in one word that a program can act on. */
export type RefusalReason =
  | 'ambiguous'
  | 'changed_identity'
  | 'changed_origin'
  | 'covered'
  | 'detached'
  | 'disabled'
  | 'failed'
  | 'hidden'
  | 'moving'
  | 'not_a_choice'
  | 'not_editable'
  | 'not_pressed'
  | 'off_screen'
  | 'unknown_id'
  | 'wrong_value';

/** An error as the host puts it on a wire, as a `BridgeError` of this code. */
export interface RefusalData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>> & { readonly reason: RefusalReason };
}

/** Stays inside the page code: what leaves it is its data. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly data: RefusalData;

  constructor(
    code: ErrorCode,
    reason: RefusalReason,
    message: string,
    evidence: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.data = { code, message, evidence: { reason, ...evidence } };
  }
}
