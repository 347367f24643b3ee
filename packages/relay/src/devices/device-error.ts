import type { JsonObject } from '../ledger/records.ts';

/** Every refusal of the devices, with its HTTP status. */
export const DEVICE_ERRORS = {
  invalid_request: 400,
  unauthorized: 401,
  pair_again: 401,
  proof_stale: 401,
  wrong_origin: 403,
  forbidden: 403,
  confirmation_needed: 403,
  confirmation_refused: 403,
  device_not_found: 404,
  pairing_not_found: 404,
  confirmation_not_found: 404,
  passkey_refused: 403,
  passkey_not_found: 404,
  passkey_needs_name: 409,
  passkeys_full: 409,
  last_owner: 409,
  unsupported_media_type: 415,
  rate_limited: 429,
  pairing_full: 429,
  unavailable: 503,
} as const;

export type DeviceErrorCode = keyof typeof DEVICE_ERRORS;

/** The message goes to the caller, so it never holds a token, a secret or a code. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly code: DeviceErrorCode;
  /** Sent beside the code and the message. */
  readonly more: JsonObject;

  constructor(code: DeviceErrorCode, message: string, more: JsonObject = {}) {
    super(message);
    this.code = code;
    this.more = more;
  }
}
