import type { EvaluationAnswer, EvaluationRequest } from './messages.ts';

/** One place apart from the host in which expressions run: a worker thread, a browser's worker, a frame. */
export interface Isolate {
  readonly send: (request: EvaluationRequest) => void;
  /** Stops it at once, whatever it is doing. Called once; nothing is heard of it afterwards. */
  readonly kill: () => void;
}

/** What an isolate tells its pool. */
export interface IsolateEvents {
  readonly ready: () => void;
  readonly answered: (answer: EvaluationAnswer) => void;
  readonly died: (reason: 'memory' | 'crashed', message: string) => void;
}

export type SpawnIsolate = (events: IsolateEvents) => Isolate;

/** Calls back after the time, unless the returned function was called before. */
export type SetTimer = (ms: number, callback: () => void) => () => void;
