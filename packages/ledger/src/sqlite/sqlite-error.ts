import { LedgerError, type LedgerErrorCode } from '../ledger-error.ts';

/** Primary result codes, https://sqlite.org/rescode.html */
const CODES: Readonly<Record<number, readonly [LedgerErrorCode, string]>> = {
  5: ['ledger_busy', 'Another program holds the ledger. Try again.'],
  6: ['ledger_busy', 'Another program holds the ledger. Try again.'],
  8: ['ledger_io', 'The ledger cannot be written to. Check the permissions of its folder.'],
  10: ['ledger_io', 'The disk failed. Check the disk; nothing was recorded.'],
  11: ['ledger_damaged', 'The ledger is damaged. Stop the relay and restore a backup.'],
  13: ['ledger_full', 'There is no room for it. Free some space; nothing was recorded.'],
  14: ['ledger_io', 'The ledger cannot be opened. Check that its folder exists and is yours.'],
  26: ['ledger_damaged', 'The file is not a ledger, or its beginning is damaged. Restore a backup.'],
};

export function ledgerError(cause: unknown): LedgerError {
  if (cause instanceof LedgerError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const [code, advice] = CODES[resultCode(cause) & 0xff] ?? ['ledger_io', 'The ledger refused it.'];
  return new LedgerError(code, `${advice} (${message})`, cause);
}

function resultCode(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return 0;
  return typeof error.errcode === 'number' ? error.errcode : 0;
}
