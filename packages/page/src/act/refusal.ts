import type { ErrorCode } from '@drawbridge/protocol';
import { PageError, type PageErrorData } from '../locate/page-error.ts';

/** A machine-readable reason for a refusal. */
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

/** The error data that a host sends as a `BridgeError` of this code; `evidence.reason` is the reason. */
export type RefusalData = PageErrorData;

export function refusal(
  code: ErrorCode,
  reason: RefusalReason,
  message: string,
  evidence: Readonly<Record<string, unknown>> = {},
): PageError {
  return new PageError(code, message, { reason, ...evidence });
}
