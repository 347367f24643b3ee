import type { Isolate, IsolateEvents, SpawnIsolate } from '../expression/isolate.ts';
import { IsolatePool } from '../expression/isolate-pool.ts';
import { READY } from '../expression/messages.ts';
import type { Evaluator } from '../host.ts';

export interface BrowserEvaluatorOptions {
  /** Maximum number of expressions that run at the same time. */
  readonly size?: number;
  readonly maxMs?: number;
  readonly maxOutputBytes?: number;
  readonly maxInputBytes?: number;
}

export interface FrameEvaluatorOptions extends BrowserEvaluatorOptions {
  /** A page that calls `serveFrame`: in an extension, one of its sandboxed pages. */
  readonly frameUrl: string;
}

export interface DedicatedWorkerOptions extends BrowserEvaluatorOptions {
  /** Starts a worker from the bundled `evaluator-worker.ts`. */
  readonly createWorker: () => Worker;
}

/** Evaluates expressions in hidden frames without an origin, each with its own worker. */
export function createFrameEvaluator({ frameUrl, ...options }: FrameEvaluatorOptions): Evaluator {
  return createPool((events) => spawnFrame(frameUrl, events), options);
}

/** Evaluates expressions in dedicated workers, for pages that may start them. */
export function createDedicatedWorkerEvaluator({
  createWorker,
  ...options
}: DedicatedWorkerOptions): Evaluator {
  return createPool((events) => spawnWorker(createWorker, events), options);
}

function createPool(spawn: SpawnIsolate, options: BrowserEvaluatorOptions): Evaluator {
  const { size = 1, maxMs = 250, maxOutputBytes = 16_000, maxInputBytes = 2_097_152 } = options;
  const setTimer = (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  };
  return new IsolatePool({ spawn, setTimer, size, maxMs, maxOutputBytes, maxInputBytes });
}

function spawnWorker(createWorker: () => Worker, events: IsolateEvents): Isolate {
  const worker = createWorker();
  worker.onmessage = ({ data }) => hear(data, events);
  worker.onerror = ({ message }) => events.died('crashed', message);
  return { send: (request) => worker.postMessage(request), kill: () => worker.terminate() };
}

function spawnFrame(frameUrl: string, events: IsolateEvents): Isolate {
  const { port1: port, port2: theirs } = new MessageChannel();
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.hidden = true;
  frame.src = frameUrl;
  frame.addEventListener(
    'load',
    // The frame has no origin to name, and only the port is passed.
    () => frame.contentWindow?.postMessage('connect', '*', [theirs]),
    { once: true },
  );
  port.onmessage = ({ data }) => hear(data, events);
  document.documentElement.append(frame);
  return {
    send: (request) => port.postMessage(request),
    kill: () => {
      port.close();
      frame.remove();
    },
  };
}

function hear(data: unknown, events: IsolateEvents): void {
  if (data === READY) events.ready();
  if (typeof data !== 'object' || data === null) return;
  if ('crashed' in data) events.died('crashed', String(data.crashed));
  else if (isAnswer(data)) events.answered(data);
}

type Answer = Parameters<IsolateEvents['answered']>[0];

const isAnswer = (data: object): data is Answer =>
  'id' in data && typeof data.id === 'number' && 'ok' in data && typeof data.ok === 'boolean';
