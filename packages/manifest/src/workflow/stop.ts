import type { Cancellation, Clock } from '../host.ts';

/** Ends work when its time is over or when it is cancelled, whichever is first. */
export interface Stop extends Cancellation {
  readonly reason: () => 'timeout' | 'cancelled' | undefined;
  /** Resolves when stopped. */
  readonly stopped: Promise<void>;
  /** Stops watching: the work is over. */
  readonly release: () => void;
}

export interface StopOptions {
  readonly clock: Clock;
  readonly cancellation?: Cancellation;
  readonly remainingMs?: number;
}

export function watchStop({ clock, cancellation, remainingMs }: StopOptions): Stop {
  const listeners = new Set<() => void>();
  let reason: 'timeout' | 'cancelled' | undefined;
  let released = false;
  const ended = latch();

  const stop = (why: 'timeout' | 'cancelled') => {
    if (reason !== undefined || released) return;
    reason = why;
    for (const listener of listeners) listener();
    ended.open();
  };
  const release = latch();
  const forget = cancellation?.onCancel(() => stop('cancelled'));
  if (remainingMs !== undefined && remainingMs <= 0) stop('timeout');
  else if (remainingMs !== undefined) {
    void clock.sleep(remainingMs, release.asCancellation).then(() => stop('timeout'));
  }
  return {
    get cancelled() {
      return reason !== undefined;
    },
    onCancel: (listener) => {
      if (reason !== undefined) listener();
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reason: () => reason,
    stopped: ended.opened,
    release: () => {
      released = true;
      forget?.();
      release.open();
    },
  };
}

/** A promise that is opened from outside, also usable as a Cancellation. */
function latch() {
  const listeners = new Set<() => void>();
  let isOpen = false;
  let resolve = () => {};
  const opened = new Promise<void>((settle) => {
    resolve = settle;
  });
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    for (const listener of listeners) listener();
    resolve();
  };
  const asCancellation: Cancellation = {
    get cancelled() {
      return isOpen;
    },
    onCancel: (listener) => {
      if (isOpen) listener();
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { opened, open, asCancellation };
}
