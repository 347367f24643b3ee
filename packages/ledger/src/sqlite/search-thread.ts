import { parentPort, workerData } from 'node:worker_threads';
import { searchLedger } from './search-index.ts';
import { ledgerError } from './sqlite-error.ts';
import { failureOf } from './thread.ts';

/** A thread for one search, on separate connections, so that commits continue. */
try {
  parentPort?.postMessage({ ok: true, value: searchLedger(workerData.path, workerData.query) });
} catch (error) {
  parentPort?.postMessage({ ok: false, failure: failureOf(ledgerError(error)) });
}
