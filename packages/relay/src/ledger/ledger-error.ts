/** Why the store could not do it. None of these crosses a wire: the core says `send_rejected` (CHT-140). */
export type LedgerErrorCode =
  | 'ledger_locked'
  | 'ledger_newer'
  | 'ledger_unsafe'
  | 'ledger_damaged'
  | 'ledger_behind'
  | 'ledger_full'
  | 'ledger_io'
  | 'ledger_busy'
  | 'ledger_invalid'
  | 'ledger_closed';

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;

  constructor(code: LedgerErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
