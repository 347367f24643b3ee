export type { Ledger, LedgerDamage, LedgerReads, LedgerReport } from './ledger.ts';
export { LedgerError, type LedgerErrorCode } from './ledger-error.ts';
export type * from './records.ts';
export { openSqliteLedger, type SqliteLedgerOptions } from './sqlite/sqlite-ledger.ts';
export { verifySqliteFile } from './sqlite/verification.ts';
export type * from './writes.ts';
