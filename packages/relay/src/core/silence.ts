interface Means {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
}

interface Silence {
  readonly heard: () => void;
  readonly close: () => void;
}

/** Shortest interval between timer resets; otherwise a busy peer would reset it with each frame. */
const SET_ANEW_MS = 1_000;

/**
 * CHT-112: idle timeout. Frames soon after a reset extend the timer only when it fires. Wall time is used
 * only within this one-second window, so a clock jump shifts the timeout by at most a second (CHT-114).
 */
export function watchSilence({ now, after }: Means, ms: number, onSilent: () => void): Silence {
  /** Time of the last timer reset. */
  let since = now();
  let latest = since;

  const fire = (): void => {
    const rest = latest - since;
    since = latest;
    if (rest > 0) callOff = after(rest, fire);
    else onSilent();
  };
  let callOff = after(ms, fire);

  return {
    heard: () => {
      latest = now();
      if (latest >= since && latest < since + SET_ANEW_MS) return;
      since = latest;
      callOff();
      callOff = after(ms, fire);
    },
    close: () => callOff(),
  };
}
