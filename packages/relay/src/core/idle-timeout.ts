interface Means {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
}

interface IdleTimeout {
  readonly received: () => void;
  readonly close: () => void;
}

/** Shortest interval between timer resets; otherwise a busy peer would reset it with each frame. */
const REARM_MS = 1_000;

/**
 * CHT-112: idle timeout. Frames soon after a reset extend the timer only when it fires. Wall time is used
 * only within this one-second window, so a clock jump shifts the timeout by at most a second (CHT-114).
 */
export function createIdleTimeout({ now, after }: Means, ms: number, onSilent: () => void): IdleTimeout {
  /** Time of the last timer reset. */
  let since = now();
  let latest = since;

  const fire = (): void => {
    const rest = latest - since;
    since = latest;
    if (rest > 0) cancel = after(rest, fire);
    else onSilent();
  };
  let cancel = after(ms, fire);

  return {
    received: () => {
      latest = now();
      if (latest >= since && latest < since + REARM_MS) return;
      since = latest;
      cancel();
      cancel = after(ms, fire);
    },
    close: () => cancel(),
  };
}
