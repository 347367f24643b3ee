/** Reason of a ledger failure. None of these crosses a wire: the core sends `send_rejected` (CHT-140). */
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
  | 'ledger_closed'
  /** The database does not answer; nothing was recorded. */
  | 'ledger_unreachable'
  /** The database was lost after the batch was sent: whether it was recorded is unknown until it is back. */
  | 'ledger_unknown'
  /** Another node is the leader; nothing was recorded. */
  | 'ledger_fenced';

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;

  constructor(code: LedgerErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
