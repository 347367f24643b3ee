import type { Clock } from '@drawbridge/base';
import { delay } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import { isControlPlaneError } from '../address/control-plane.ts';

/** A call's deadline. Work is aborted at the deadline; work that ignores the abort is abandoned after 200 ms. */
export interface Deadline {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  /** Records the current step, for the timeout error. */
  readonly doing: (step: string) => void;
}

/** Grace in which aborted work may report its step. */
const GRACE_MS = 200;

export async function withDeadline<Result>(
  timeoutMs: number,
  clock: Clock,
  outside: AbortSignal,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  if (outside.aborted || timeoutMs <= 0)
    throw stoppedError(outside.aborted ? 'cancelled' : 'timeout', 0, 'waiting for its turn');
  const startedAt = clock.now();
  const stopping = new AbortController();
  const settled = new AbortController();
  let step: string | undefined;
  // The tab came to a page of the relay, which says more than that its calls end.
  const stopped = (within = step) =>
    isControlPlaneError(outside.reason)
      ? outside.reason
      : stoppedError(stopping.signal.reason, clock.now() - startedAt, within);
  const cancel = () => stopping.abort('cancelled');
  outside.addEventListener('abort', cancel);
  void delay(clock, timeoutMs, settled.signal).then(() => {
    if (!settled.signal.aborted) stopping.abort('timeout');
  });
  const over = new Promise<never>((_, reject) => {
    stopping.signal.addEventListener('abort', async () => {
      await delay(clock, GRACE_MS, settled.signal);
      reject(stopped());
    });
  });
  try {
    const deadline: Deadline = {
      signal: stopping.signal,
      remainingMs: () => Math.max(0, startedAt + timeoutMs - clock.now()),
      doing: (what) => {
        step = what;
      },
    };
    return await Promise.race([work(deadline), over]);
  } catch (error) {
    // Aborted work fails with errors of various kinds; the timeout takes precedence.
    const isFinal = isControlPlaneError(error) || (error instanceof BridgeError && FINAL.has(error.code));
    if (!stopping.signal.aborted || isFinal) throw error;
    throw stopped(stepIn(error));
  } finally {
    settled.abort();
    outside.removeEventListener('abort', cancel);
  }
}

const FINAL: ReadonlySet<string> = new Set(['handler_timeout', 'transport_failed']);

/** An aborted workflow knows its step more precisely. */
function stepIn(error: unknown): string | undefined {
  const step = error instanceof BridgeError ? error.evidence['step'] : undefined;
  return typeof step === 'string' ? step : undefined;
}

type StopReason = 'timeout' | 'cancelled';

function stoppedError(reason: StopReason, elapsed: number, step: string | undefined): BridgeError {
  const evidence = { elapsed_ms: elapsed, ...(step !== undefined && { step }) };
  const where = step === undefined ? '' : `, during ${step}`;
  return reason === 'cancelled'
    ? new BridgeError('cancelled', `The call was cancelled after ${elapsed} ms${where}.`, { evidence })
    : new BridgeError(
        'handler_timeout',
        `The call ran out of time after ${elapsed} ms${where}. Look at the page before you try again, or give it more timeout_ms.`,
        { evidence },
      );
}
