import type { EvaluationLimits, Evaluator } from '../host.ts';
import { FairQueue } from './fair-queue.ts';
import { inputText } from './input-text.ts';
import type { Isolate, SetTimer, SpawnIsolate } from './isolate.ts';
import type { EvaluationAnswer, EvaluationRequest, Refusal } from './messages.ts';
import { toBridgeError } from './refusal.ts';

export interface PoolOptions {
  readonly spawn: SpawnIsolate;
  readonly setTimer: SetTimer;
  readonly size: number;
  readonly maxMs: number;
  readonly maxOutputBytes: number;
  readonly maxInputBytes: number;
}

interface Job {
  readonly request: EvaluationRequest;
  readonly maxMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** An isolate and its current work. A seat that died or was killed is no longer in the pool's set. */
interface Seat {
  isolate: Isolate;
  doing:
    | { readonly kind: 'starting' }
    | { readonly kind: 'idle' }
    | { readonly kind: 'working'; readonly job: Job; readonly stopTimer: () => void };
}

/**
 * Runs each expression alone in an isolate, with a timeout. At the timeout the isolate is killed and
 * replaced; waiting jobs are not affected.
 */
export class IsolatePool implements Evaluator {
  readonly #options: PoolOptions;
  readonly #seats = new Set<Seat>();
  readonly #waiting = new FairQueue<Job>();
  #lastId = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async evaluate(expression: string, input: unknown, limits: EvaluationLimits = {}): Promise<unknown> {
    if (this.#closed) throw toBridgeError(CLOSED);
    const text = inputText(input, this.#options.maxInputBytes);
    const {
      maxMs = this.#options.maxMs,
      maxOutputBytes = this.#options.maxOutputBytes,
      queueKey = '',
    } = limits;
    const id = ++this.#lastId;
    const request = { id, expression, maxOutputBytes, ...(text !== undefined && { input: text }) };
    return new Promise((resolve, reject) => {
      this.#waiting.add(queueKey, { request, maxMs, resolve, reject });
      this.#advance();
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const seat of this.#seats) {
      if (seat.doing.kind === 'working') fail(seat.doing.job, CLOSED);
      this.#remove(seat);
    }
    for (const job of this.#waiting.takeAll()) fail(job, CLOSED);
  }

  #advance(): void {
    for (const seat of this.#seats) if (seat.doing.kind === 'idle') this.#giveWork(seat);
    const starting = [...this.#seats].some((seat) => seat.doing.kind === 'starting');
    if (!this.#waiting.isEmpty && !starting && this.#seats.size < this.#options.size) this.#seatOne();
  }

  #giveWork(seat: Seat): void {
    const job = this.#waiting.take();
    if (job === undefined) return;
    const stopTimer = this.#options.setTimer(job.maxMs, () => this.#overstay(seat, job));
    seat.doing = { kind: 'working', job, stopTimer };
    seat.isolate.send(job.request);
  }

  #seatOne(): void {
    const seat: Seat = { isolate: NOBODY, doing: { kind: 'starting' } };
    this.#seats.add(seat);
    seat.isolate = this.#options.spawn({
      ready: () => {
        if (!this.#seats.has(seat)) return;
        seat.doing = { kind: 'idle' };
        this.#advance();
      },
      answered: (answer) => this.#finish(seat, answer),
      died: (reason, message) => this.#bury(seat, reason, message),
    });
  }

  #finish(seat: Seat, answer: EvaluationAnswer): void {
    if (seat.doing.kind !== 'working' || seat.doing.job.request.id !== answer.id) return;
    const { job, stopTimer } = seat.doing;
    stopTimer();
    seat.doing = { kind: 'idle' };
    if (!answer.ok) fail(job, answer);
    else job.resolve(answer.output === undefined ? undefined : JSON.parse(answer.output));
    this.#advance();
  }

  #overstay(seat: Seat, job: Job): void {
    if (!this.#seats.has(seat) || seat.doing.kind !== 'working' || seat.doing.job !== job) return;
    this.#remove(seat);
    fail(job, tooSlow(job.maxMs));
    this.#replace();
  }

  /** An isolate that died while starting fails one job, so a broken isolate is not restarted forever. */
  #bury(seat: Seat, reason: 'memory' | 'crashed', message: string): void {
    if (!this.#seats.has(seat)) return;
    const job = seat.doing.kind === 'working' ? seat.doing.job : undefined;
    const failed = job ?? (seat.doing.kind === 'starting' ? this.#waiting.take() : undefined);
    this.#remove(seat);
    if (failed !== undefined) fail(failed, died(reason, message));
    if (job === undefined) this.#advance();
    else this.#replace();
  }

  /** Replaces the isolate at once, so that the next expression does not wait for its start. */
  #replace(): void {
    if (!this.#closed) this.#seatOne();
  }

  #remove(seat: Seat): void {
    if (seat.doing.kind === 'working') seat.doing.stopTimer();
    this.#seats.delete(seat);
    seat.isolate.kill();
  }
}

const NOBODY: Isolate = { send: () => {}, kill: () => {} };

const fail = (job: Job, refusal: Refusal): void => job.reject(toBridgeError(refusal));

const CLOSED: Refusal = {
  code: 'expression_evaluation_failed',
  message: 'The evaluator is closed.',
  evidence: { reason: 'closed' },
};

const tooSlow = (maxMs: number): Refusal => ({
  code: 'expression_evaluation_failed',
  message: `The expression ran longer than ${maxMs} ms and was stopped. Make it do less.`,
  evidence: { reason: 'timeout', limit: maxMs },
});

const died = (reason: 'memory' | 'crashed', message: string): Refusal => ({
  code: 'expression_evaluation_failed',
  message: `The expression was stopped: ${message}`,
  evidence: { reason },
});
