import { LedgerError, type LedgerErrorCode } from '../ledger-error.ts';

/** By SQLSTATE or its class, https://www.postgresql.org/docs/current/errcodes-appendix.html; DB… are our own. */
const CODES: Readonly<Record<string, readonly [LedgerErrorCode, string]>> = {
  DB003: [
    'ledger_unsafe',
    'The database does not confirm full synchronous writes. Set synchronous_commit, fsync and full_page_writes to on.',
  ],
  DB004: ['ledger_damaged', 'The ledger is damaged. Stop the relay and restore a backup.'],
  '22': ['ledger_invalid', 'The database cannot store it.'],
  '25006': ['ledger_io', 'The database is read-only. Point --database at the primary server.'],
  '28': ['ledger_io', 'The database refuses the user or the password. Check the URL.'],
  '3D000': ['ledger_io', 'There is no such database. Create it, or check the URL.'],
  '40': ['ledger_busy', 'Blocked by other transactions. Try again.'],
  '42501': ['ledger_io', 'The database user may not do this. Give it the schema "drawbridge".'],
  '53100': ['ledger_full', 'There is no room for it. Free some space; nothing was recorded.'],
  '53': ['ledger_busy', 'The database has too much to do. Try again later.'],
  '54': ['ledger_invalid', 'Too large for the database.'],
  '55P03': ['ledger_busy', 'Blocked by other transactions. Try again.'],
  '57': ['ledger_unreachable', 'The database is stopping or starting; nothing was recorded.'],
  '57014': ['ledger_busy', 'The database took too long. Try again later.'],
  XX: ['ledger_damaged', 'The database is damaged. Stop the relay and restore a backup.'],
};

export function ledgerError(cause: unknown): LedgerError {
  if (cause instanceof LedgerError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const state = sqlState(cause);
  if (state === undefined) {
    return new LedgerError(
      'ledger_unreachable',
      `The database cannot be reached; nothing was recorded. (${message})`,
      cause,
    );
  }
  const [code, advice] = CODES[state] ??
    CODES[state.slice(0, 2)] ?? ['ledger_io', 'The database refused it.'];
  return new LedgerError(code, `${advice} (${message})`, cause);
}

/**
 * True when a retry may succeed: connection lost (no SQLSTATE, class 08), server stopping or starting (57),
 * or blocked by others (40, 55P03).
 */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || /^(08|40|55P03|57|DB001)/.test(state);
}

/** Undefined for errors of the client library: CONNECTION_CLOSED, ECONNREFUSED, … */
function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
