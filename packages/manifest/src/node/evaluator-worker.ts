import { parentPort } from 'node:worker_threads';
import { openEngine } from '../expression/engine.ts';
import { READY } from '../expression/messages.ts';

/** Entry of an evaluator's worker thread. Node runs this file directly, so it uses only erasable syntax. */
const port = parentPort;
if (port === null) throw new Error('This file is the inside of a worker thread.');

// Saved here, because the engine removes Node from the realm.
const soon = setImmediate;
const answer = await openEngine(() => new Promise((resolve) => soon(resolve)));
port.on('message', (request) => {
  void answer(request).then((message) => port.postMessage(message));
});
port.postMessage(READY);
