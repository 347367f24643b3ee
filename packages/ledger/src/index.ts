export { auditWrite } from './audit-write.ts';
export {
  copyLedger,
  isPostgresUrl,
  type LedgerCopy,
  verifyLedger,
} from './copy/copy-ledger.ts';
export type { CopyProgress } from './copy/row-copy.ts';
export type { Ledger, LedgerDamage, LedgerReads, LedgerReport, SearchQuery, SearchResult } from './ledger.ts';
export { LedgerError, type LedgerErrorCode } from './ledger-error.ts';
export type { Lease, LedgerNode } from './postgres/lease.ts';
export { ledgerError } from './postgres/postgres-error.ts';
export {
  openPostgresLedger,
  type PostgresLedger,
  type PostgresLedgerOptions,
} from './postgres/postgres-ledger.ts';
export { openWire } from './postgres/wire.ts';
export type * from './records.ts';
export { hasWords, wordsOf } from './search-words.ts';
export { backUp as backUpSqliteFile } from './sqlite/backup-file.ts';
export { type LedgerRepair, repairSqliteFile } from './sqlite/repair.ts';
export { openSqliteLedger, type SqliteLedgerOptions } from './sqlite/sqlite-ledger.ts';
export { verifySqliteFile } from './sqlite/verification.ts';
export type * from './writes.ts';
