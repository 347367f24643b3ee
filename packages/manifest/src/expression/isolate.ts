import type { EvaluationAnswer, EvaluationRequest } from './messages.ts';

/** An environment isolated from the host: a worker thread, a browser's worker, or a frame. */
export interface Isolate {
  readonly send: (request: EvaluationRequest) => void;
  /** Stops it at once. Called once; no event follows. */
  readonly kill: () => void;
}

/** Events from an isolate to its pool. */
export interface IsolateEvents {
  readonly ready: () => void;
  readonly answered: (answer: EvaluationAnswer) => void;
  readonly died: (reason: 'memory' | 'crashed', message: string) => void;
}

export type SpawnIsolate = (events: IsolateEvents) => Isolate;

/** Calls back after the time unless the returned function is called first. */
export type SetTimer = (ms: number, callback: () => void) => () => void;
