interface Means {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
}

interface Silence {
  readonly heard: () => void;
  readonly close: () => void;
}

/** The timer is set anew this often at most: a busy peer would set one with each of its frames. */
const SET_ANEW_MS = 1_000;

/**
 * CHT-112: calls `onSilent` once nothing was heard for so long. What is heard soon after the timer was set is made up for when it fires.
 * The wall clock measures this little while alone, so that a jump of it makes no more difference than that (CHT-114).
 */
export function watchSilence({ now, after }: Means, ms: number, onSilent: () => void): Silence {
  /** What is heard now ends the silence that the timer is for. */
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
