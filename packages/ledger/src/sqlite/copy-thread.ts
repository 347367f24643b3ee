import { parentPort, workerData } from 'node:worker_threads';
import { backUp } from './backup-file.ts';
import { ledgerError } from './sqlite-error.ts';
import { failureOf } from './thread.ts';
import { verifySqliteFile } from './verification.ts';

/** A thread for one long read of the whole ledger, on a separate connection, so that the writer continues. */
const { path, to } = workerData;
try {
  const value = typeof to === 'string' ? backUp(path, to) : verifySqliteFile(path);
  parentPort?.postMessage({ ok: true, value });
} catch (error) {
  parentPort?.postMessage({ ok: false, failure: failureOf(ledgerError(error)) });
}
