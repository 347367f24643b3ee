import type { Cancellation, Clock } from '../host.ts';

/** Stops work at its timeout or on cancellation, whichever is first. */
export interface Stop {
  readonly reason: () => StopReason | undefined;
  /** Resolves when stopped. */
  readonly stopped: Promise<void>;
  /** Passed to the work. */
  readonly cancellation: Cancellation;
  /** Stops watching when the work is done. */
  readonly release: () => void;
}

type StopReason = 'timeout' | 'cancelled';

export interface StopOptions {
  readonly clock: Clock;
  readonly cancellation?: Cancellation | undefined;
  readonly remainingMs?: number | undefined;
}

export function watchStop({ clock, cancellation, remainingMs }: StopOptions): Stop {
  const stopping = createTrigger();
  const released = createTrigger();
  let reason: StopReason | undefined;
  const stop = (why: StopReason) => {
    if (reason !== undefined || released.cancellation.cancelled) return;
    reason = why;
    stopping.fire();
  };
  const forget = cancellation?.onCancel(() => stop('cancelled'));
  if (remainingMs !== undefined && remainingMs <= 0) stop('timeout');
  else if (remainingMs !== undefined) {
    void clock.sleep(remainingMs, released.cancellation).then(() => stop('timeout'));
  }
  return {
    reason: () => reason,
    stopped: stopping.fired,
    cancellation: stopping.cancellation,
    release: () => {
      forget?.();
      released.fire();
    },
  };
}

/** A one-time event, to await or to listen for. */
function createTrigger() {
  let resolve = () => {};
  const fired = new Promise<void>((settle) => {
    resolve = settle;
  });
  const listeners = new Set<() => void>();
  let cancelled = false;
  const cancellation: Cancellation = {
    get cancelled() {
      return cancelled;
    },
    onCancel: (listener) => {
      if (cancelled) listener();
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const fire = () => {
    if (cancelled) return;
    cancelled = true;
    for (const listener of listeners) listener();
    resolve();
  };
  return { fired, cancellation, fire };
}
