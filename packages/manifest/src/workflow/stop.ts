import type { Clock } from '@drawbridge/base';
import { delay } from '@drawbridge/base';
import { onAbort } from '@drawbridge/protocol';

/** Stops work at its timeout or when the signal aborts, whichever is first. */
export interface Stop {
  readonly reason: () => StopReason | undefined;
  /** Resolves when stopped. */
  readonly stopped: Promise<void>;
  /** Passed to the work. */
  readonly signal: AbortSignal;
  /** Stops watching when the work is done. */
  readonly release: () => void;
}

type StopReason = 'timeout' | 'cancelled';

export interface StopOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly remainingMs?: number | undefined;
}

export function watchStop({ clock, signal, remainingMs }: StopOptions): Stop {
  const stopping = new AbortController();
  const released = new AbortController();
  let reason: StopReason | undefined;
  const stop = (why: StopReason) => {
    if (reason !== undefined || released.signal.aborted) return;
    reason = why;
    stopping.abort();
  };
  const forget = signal && onAbort(signal, () => stop('cancelled'));
  if (remainingMs !== undefined && remainingMs <= 0) stop('timeout');
  else if (remainingMs !== undefined) {
    void delay(clock, remainingMs, released.signal).then(() => stop('timeout'));
  }
  return {
    reason: () => reason,
    stopped: new Promise((resolve) => onAbort(stopping.signal, () => resolve())),
    signal: stopping.signal,
    release: () => {
      forget?.();
      released.abort();
    },
  };
}
