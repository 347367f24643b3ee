import type { ErrorCode } from '@drawbridge/protocol';
import { PageError, type PageErrorData } from '../locate/page-error.ts';

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

/** An error as the host puts it on a wire, as a `BridgeError` of this code; `evidence.reason` says why. */
export type RefusalData = PageErrorData;

export function refusal(
  code: ErrorCode,
  reason: RefusalReason,
  message: string,
  evidence: Readonly<Record<string, unknown>> = {},
): PageError {
  return new PageError(code, message, { reason, ...evidence });
}
