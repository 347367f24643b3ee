import type { Cancellation, Clock } from '@drawbridge/manifest';
import { BridgeError } from '@drawbridge/protocol';
import { isControlPlaneError } from '../address/control-plane.ts';

/** A call's deadline. Work is aborted at the deadline; work that ignores the abort is abandoned after 200 ms. */
export interface Deadline {
  readonly cancellation: Cancellation;
  readonly remainingMs: () => number;
  /** Records the current step, for the timeout error. */
  readonly doing: (step: string) => void;
}

/** Grace in which aborted work may report its step. */
const GRACE_MS = 200;

export async function withDeadline<Result>(
  timeoutMs: number,
  clock: Clock,
  outside: Cancellation,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const startedAt = clock.now();
  const stop = createStop();
  const release = outside.onCancel(() => stop.now('cancelled'));
  let step: string | undefined;
  const deadline: Deadline = {
    cancellation: stop.cancellation,
    remainingMs: () => Math.max(0, startedAt + timeoutMs - clock.now()),
    doing: (what) => {
      step = what;
    },
  };
  if (outside.cancelled || timeoutMs <= 0) {
    release();
    throw stoppedError(outside.cancelled ? 'cancelled' : 'timeout', 0, 'waiting for its turn');
  }
  // Starts before the timer is set, so that its first message is sent at once.
  const working = work(deadline);
  const over = stop.whenStopped.then(async () => {
    await clock.sleep(GRACE_MS, stop.settled);
    throw stoppedError(stop.reason(), clock.now() - startedAt, step);
  });
  const timer = clock.sleep(timeoutMs, stop.settled).then(() => stop.now('timeout'));
  try {
    return await Promise.race([working, over]);
  } catch (error) {
    const reason = stop.reason();
    // Aborted work fails with errors of various kinds; the timeout takes precedence.
    const isFinal = isControlPlaneError(error) || (error instanceof BridgeError && FINAL.has(error.code));
    if (reason === undefined || isFinal) throw error;
    throw stoppedError(reason, clock.now() - startedAt, stepIn(error) ?? step);
  } finally {
    stop.end();
    release();
    await timer;
  }
}

const FINAL: ReadonlySet<string> = new Set(['handler_timeout', 'transport_failed']);

/** An aborted workflow knows its step more precisely. */
function stepIn(error: unknown): string | undefined {
  const step = error instanceof BridgeError ? error.evidence['step'] : undefined;
  return typeof step === 'string' ? step : undefined;
}

type StopReason = 'timeout' | 'cancelled';

function stoppedError(
  reason: StopReason | undefined,
  elapsed: number,
  step: string | undefined,
): BridgeError {
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

function createStop() {
  const stopping = createSwitch();
  const settling = createSwitch();
  let reason: StopReason | undefined;
  return {
    cancellation: stopping.cancellation,
    settled: settling.cancellation,
    whenStopped: new Promise<void>((resolve) => stopping.cancellation.onCancel(resolve)),
    reason: () => reason,
    now(why: StopReason) {
      if (settling.cancellation.cancelled) return;
      reason ??= why;
      stopping.deadline();
    },
    end: () => settling.deadline(),
  };
}

function createSwitch(): { cancellation: Cancellation; deadline: () => void } {
  const cancellation = new Switched();
  return { cancellation, deadline: () => cancellation.deadline() };
}

/** A class, because every call needs three: an object literal would recreate the getter each time. */
class Switched implements Cancellation {
  readonly #listeners = new Set<() => void>();
  #cancelled = false;

  get cancelled(): boolean {
    return this.#cancelled;
  }

  readonly onCancel = (listener: () => void): (() => void) => {
    if (this.#cancelled) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  deadline(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

export const createCancellation = createSwitch;
