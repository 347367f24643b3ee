import { parentPort } from 'node:worker_threads';
import { openEngine } from '../expression/engine.ts';
import { READY } from '../expression/messages.ts';

/** The entry of an evaluator's worker thread. Node runs this file as it is: it must stay plain. */
const port = parentPort;
if (port === null) throw new Error('This file is the inside of a worker thread.');

// Taken hold of now: the engine leaves nothing of Node in the realm.
const soon = setImmediate;
const answer = await openEngine(() => new Promise((resolve) => soon(resolve)));
port.on('message', (request) => {
  void answer(request).then((message) => port.postMessage(message));
});
port.postMessage(READY);
