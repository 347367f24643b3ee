export type RunSerially = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Reads may overlap; actions may not, because two at once would report each other's effects. Each waits for
 * the ones before it, and starts synchronously when there are none.
 */
export function createSerialQueue(): RunSerially {
  let last: Promise<void> | undefined;
  return (work) => {
    const turn = last === undefined ? work() : last.then(work);
    const over = () => {
      if (last === ended) last = undefined;
    };
    const ended = turn.then(over, over);
    last = ended;
    return turn;
  };
}

/** Runs one at a time; requests during a run cause exactly one more. */
export function createCoalesced(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}
