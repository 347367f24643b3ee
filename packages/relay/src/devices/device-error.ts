import type { JsonObject } from '@drawbridge/ledger';
import type { HttpErrorCode } from '@drawbridge/protocol/http';

/** The message goes to the caller, so it never holds a token, a secret or a code. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly code: HttpErrorCode;
  /** Sent beside the code and the message. */
  readonly more: JsonObject;

  constructor(code: HttpErrorCode, message: string, more: JsonObject = {}) {
    super(message);
    this.code = code;
    this.more = more;
  }
}
