import type { AgentSide, RuntimeView } from '@drawbridge/bridge';
import type { ActionProgress } from '@drawbridge/protocol';
import type { Approvals, OpenQuestion } from '../approval/approvals.ts';
import { callFailure } from './call-failure.ts';
import { currentView, type TabRoute } from './tab-route.ts';
import { shortArguments, type TraceLog } from './trace-log.ts';

export interface Called {
  readonly output: unknown;
  /** The current state of the answering tab. */
  readonly view: RuntimeView | undefined;
}

export interface CallSpec {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly route: TabRoute;
  readonly timeout_ms?: number;
}

/** Runs one bridge call for a tool. Fails with a CallFailure. */
export type Call = (spec: CallSpec) => Promise<Called>;

export type RunStep<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'question'; readonly question: OpenQuestion };

export interface RunOptions<Result> {
  readonly bridge: AgentSide;
  readonly traces: TraceLog;
  /** Present when the client can ask its person. */
  readonly approvals?: Approvals;
  readonly now: () => number;
  /** Never fails. */
  readonly work: (call: Call) => Promise<Result>;
}

/**
 * One MCP tool call with its bridge calls. Outlives its first request: when a person must be asked, that
 * request is answered with the question, and a later request continues the run.
 */
export class CallRun<Result> {
  readonly id = crypto.randomUUID();
  /** Progress listener of the current request. */
  onProgress: ((progress: ActionProgress) => void) | undefined;
  readonly #options: RunOptions<Result>;
  readonly #abort = new AbortController();
  readonly #questions: OpenQuestion[] = [];
  #end: { readonly result: Result } | undefined;
  #wake = () => {};

  constructor(options: RunOptions<Result>) {
    this.#options = options;
    // Deferred until listeners exist, as a local runtime answers at once.
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    const result = await this.#options.work((spec) => this.#call(spec));
    this.#end = { result };
    this.#wake();
  }

  /** Resolves when it is done or a person is asked. */
  async next(): Promise<RunStep<Result>> {
    for (;;) {
      const question = this.#questions.shift();
      if (question !== undefined) return { kind: 'question', question };
      if (this.#end !== undefined) return { kind: 'done', result: this.#end.result };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Cancels running calls at the runtime; idempotent. */
  close(reason = 'The client cancelled the call.'): void {
    this.#abort.abort(reason);
  }

  async #call({ name, arguments: args, route, timeout_ms }: CallSpec): Promise<Called> {
    const { bridge, traces, approvals, now } = this.#options;
    const { signal } = this.#abort;
    const call_id = crypto.randomUUID();
    const began = now();
    const trace = (outcome: string) =>
      traces.add({
        at: new Date(began).toISOString(),
        name,
        ...(route.view && { runtime_id: route.view.runtime_id }),
        ms: now() - began,
        outcome,
        arguments: shortArguments(name, args),
      });
    const stopListening = approvals?.listen(call_id, (question) => {
      this.#questions.push(question);
      this.#wake();
    });
    let stopCancelling = () => {};
    try {
      const pending = bridge.call(
        {
          call_id,
          name,
          arguments: { ...args },
          ...route.selectors,
          ...(timeout_ms !== undefined && { timeout_ms }),
        },
        { onProgress: (progress) => this.onProgress?.(progress) },
      );
      const cancel = () => pending.cancel(String(signal.reason));
      stopCancelling = () => signal.removeEventListener('abort', cancel);
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
      const output = await pending.output;
      trace('ok');
      return { output, view: currentView(route, bridge.runtimes()) };
    } catch (error) {
      const failure = callFailure(error, currentView(route, bridge.runtimes()));
      trace(signal.aborted ? 'cancelled' : failure.error.code);
      throw failure;
    } finally {
      stopListening?.();
      stopCancelling();
    }
  }
}
