import { parentPort, workerData } from 'node:worker_threads';
import { LedgerError } from '../ledger-error.ts';
import { ledgerError } from './sqlite-error.ts';
import { SqliteStore } from './store.ts';
import { failureOf, type Reply, type Request } from './thread.ts';

/** Entry of the ledger's thread, so that a slow disk sync blocks nothing else. */
const port = parentPort;
if (port === null) throw new Error('This file is the inside of a worker thread.');

try {
  const store = new SqliteStore(workerData, undefined, (rewriting) => port.postMessage({ rewriting }));
  port.on('message', (request: Request) => {
    port.postMessage(answer(store, request));
    if (request.do === 'close') port.close();
    else if (request.do !== 'read') store.checkpointIfDue();
  });
  port.postMessage({ epoch: store.epoch });
} catch (error) {
  port.postMessage(failureOf(ledgerError(error)));
  port.close();
}

function answer(store: SqliteStore, request: Request): Reply {
  try {
    return { ok: true, value: perform(store, request) };
  } catch (error) {
    return { ok: false, failure: failureOf(ledgerError(error)) };
  }
}

function perform(store: SqliteStore, request: Request): unknown {
  switch (request.do) {
    case 'commit':
      return store
        .commitGroup(request.group)
        .map((outcome) => (outcome instanceof LedgerError ? failureOf(outcome) : outcome));
    case 'read':
      return Reflect.apply(store.reads[request.name], undefined, request.args);
    case 'return_space':
      return store.returnSpace();
    case 'close':
      return store.close();
  }
}
