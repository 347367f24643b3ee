export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Looking may overlap; acting may not: two calls that act at once would take each other's effects for their
 * own. Each waits for those before it, and begins at once where there are none.
 */
export function createLane(): InTurn {
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

/** However often it is asked for: one at a time, and once more after the last time it was asked. */
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
