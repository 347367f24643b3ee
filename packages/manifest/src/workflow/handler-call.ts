import type { Clock } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import { watchStop } from './stop.ts';
import type { Handler } from './tool-execution.ts';

export interface HandlerCall {
  readonly name: string;
  readonly handler: Handler;
  readonly input: unknown;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Runs a handler within its timeout, and turns anything it throws into a coded error. */
export async function callHandler(call: HandlerCall): Promise<unknown> {
  const { name, handler, input, clock, timeoutMs, signal } = call;
  const startedAt = clock.now();
  const stop = watchStop({ clock, signal, remainingMs: timeoutMs });
  try {
    const answer = handler(input, stop.signal).then((value) => ({ value }));
    const outcome = await Promise.race([answer, stop.stopped]);
    if (outcome !== undefined) return outcome.value;
  } catch (error) {
    if (error instanceof BridgeError) throw error;
    const message = `The handler "${name}" failed. Look at the page before you call again.`;
    throw new BridgeError('handler_failed', message, { cause: error, evidence: { handler: name } });
  } finally {
    stop.release();
  }
  const evidence = { handler: name, elapsed_ms: clock.now() - startedAt };
  throw stop.reason() === 'timeout'
    ? new BridgeError(
        'handler_timeout',
        `The handler "${name}" did not finish in time. Look at the page before you call again.`,
        { evidence },
      )
    : new BridgeError('cancelled', `The handler "${name}" was cancelled.`, { evidence });
}
