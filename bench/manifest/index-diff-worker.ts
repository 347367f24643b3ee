import { parentPort, workerData } from 'node:worker_threads';
import { createPatch } from 'rfc6902';

/** Answers with how long the peer took and how large its patch is. */
const [before, after] = workerData;
const started = performance.now();
const patch = createPatch(before, after);
const ms = performance.now() - started;
parentPort?.postMessage({ ms, operations: patch.length, chars: JSON.stringify(patch).length });
