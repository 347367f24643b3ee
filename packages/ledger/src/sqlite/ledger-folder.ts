import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ledger-error.ts';
import { ledgerError } from './sqlite-error.ts';
import { syncPath } from './sync-path.ts';

/**
 * Locks the ledger for this process, until `close()` or any end of the process: the lock is the kernel's, on
 * a file beside the ledger, so it does not block readers (a backup, `verify`).
 */
export function lockLedger(path: string): { readonly close: () => void } {
  makePrivate(`${path}.lock`);
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const error = ledgerError(cause);
    if (error.code !== 'ledger_busy') throw error;
    throw new LedgerError(
      'ledger_locked',
      `Another relay has the ledger ${path} open. Stop it first, or give this one another folder.`,
      cause,
    );
  }
  return { close: () => lock.close() };
}

/** A new folder is 0700, a file 0600: tokens are hashed, transcripts are not. */
export function makePrivate(path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Closing a descriptor of a file that SQLite has open would drop its locks, so an existing file is only
  // chmodded.
  if (!existsSync(path)) {
    closeSync(openSync(path, 'wx', 0o600));
    syncPath(folder);
  }
  chmodSync(path, 0o600);
}
