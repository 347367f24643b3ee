import { parentPort, workerData } from 'node:worker_threads';
import { backUp } from './backup-file.ts';
import { ledgerError } from './sqlite-error.ts';
import { failureOf } from './thread.ts';
import { verifySqliteFile } from './verification.ts';

/** A thread for one long reading of the whole ledger, with a connection of its own: the writer goes on meanwhile. */
const { path, to } = workerData;
try {
  const value = typeof to === 'string' ? backUp(path, to) : verifySqliteFile(path);
  parentPort?.postMessage({ ok: true, value });
} catch (error) {
  parentPort?.postMessage({ ok: false, failure: failureOf(ledgerError(error)) });
}
