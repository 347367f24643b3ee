import type { ErrorCode } from '../wire/error-codes.ts';

/** Codes of refused HTTP requests outside contract 4, with their status. */
export const HTTP_ERRORS = {
  invalid_request: 400,
  unauthorized: 401,
  pair_again: 401,
  proof_stale: 401,
  forbidden: 403,
  wrong_origin: 403,
  confirmation_needed: 403,
  confirmation_refused: 403,
  passkey_refused: 403,
  not_found: 404,
  device_not_found: 404,
  pairing_not_found: 404,
  confirmation_not_found: 404,
  passkey_not_found: 404,
  session_connected: 409,
  already_sent: 409,
  demo_playing: 409,
  passkey_needs_name: 409,
  passkeys_full: 409,
  last_owner: 409,
  task_over: 409,
  not_over: 409,
  not_running: 409,
  unsupported: 409,
  file_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  pairing_full: 429,
  internal: 500,
  unavailable: 503,
  quota_reached: 507,
} as const;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** Every error of contract 4, with its status. */
export const INTERACT_ERRORS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  task_not_found: 404,
  session_not_found: 404,
  invalid_task_state: 400,
  task_busy: 409,
  session_archived: 409,
  cancelled: 409,
  body_too_large: 413,
  rate_limited: 429,
  internal: 500,
  brain_failed: 502,
  unavailable: 503,
} as const satisfies Partial<Record<ErrorCode, number>>;

export type InteractErrorCode = keyof typeof INTERACT_ERRORS;
