import { Worker } from 'node:worker_threads';
import { workerEnvironment } from '@drawbridge/protocol';
import type { Isolate, IsolateEvents } from '../expression/isolate.ts';
import { IsolatePool } from '../expression/isolate-pool.ts';
import { READY } from '../expression/messages.ts';
import type { Evaluator } from '../host.ts';

export interface WorkerEvaluatorOptions {
  /** Maximum number of expressions that run at the same time. */
  readonly workers?: number;
  readonly maxMs?: number;
  readonly maxOutputBytes?: number;
  readonly maxInputBytes?: number;
  readonly maxMemoryMb?: number;
}

const ENTRY = new URL('./evaluator-worker.ts', import.meta.url);

/** Evaluates expressions in worker threads, started on demand. */
export const createWorkerEvaluator = (options: WorkerEvaluatorOptions = {}): Evaluator =>
  createThreadPool(ENTRY, options);

/** Worker threads with the same entry, each with one request at a time. */
export function createThreadPool(entry: URL, options: WorkerEvaluatorOptions): Evaluator {
  const { workers = 2, maxMs = 250, maxOutputBytes = 16_000, maxInputBytes = 2_097_152 } = options;
  const { maxMemoryMb = 128 } = options;
  return new IsolatePool({
    spawn: (events) => spawnWorker(entry, events, maxMemoryMb),
    setTimer: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    size: workers,
    maxMs,
    maxOutputBytes,
    maxInputBytes,
  });
}

function spawnWorker(entry: URL, events: IsolateEvents, maxMemoryMb: number): Isolate {
  const worker = new Worker(entry, {
    argv: [],
    env: workerEnvironment(process.env),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 32 },
  });
  worker.on('message', (message) => {
    // An idle worker must not keep the process alive.
    worker.unref();
    if (message === READY) events.ready();
    else events.answered(message);
  });
  worker.on('error', (error) => {
    const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (outOfMemory) events.died('memory', `it needed more than ${maxMemoryMb} MB of memory.`);
    else events.died('crashed', error.message);
  });
  worker.on('exit', () => events.died('crashed', 'its worker ended.'));
  return {
    send: (request) => {
      worker.ref();
      worker.postMessage(request);
    },
    kill: () => void worker.terminate(),
  };
}
