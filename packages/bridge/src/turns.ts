export interface Turns {
  /** Runs a job now, or after the running one. */
  readonly take: (job: () => void) => void;
  /** Calls a peer or listener; false when it threw. */
  readonly callOut: (call: () => void) => boolean;
  readonly onError: (fault: unknown) => void;
}

/**
 * Runs one job at a time. A local peer may answer inside `send`: processed at once, its answer would reach
 * some agents before the item that it answers has reached the others.
 */
export function createTurns(onError: (fault: unknown) => void = () => {}): Turns {
  const waiting: Array<() => void> = [];
  let running = false;

  const callOut = (call: () => void): boolean => {
    try {
      call();
      return true;
    } catch (fault) {
      onError(fault);
      return false;
    }
  };

  return {
    callOut,
    onError,
    take(job) {
      waiting.push(job);
      if (running) return;
      running = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) callOut(next);
      running = false;
    },
  };
}
