/**
 * Looking may overlap; acting may not: two calls that act at once would take each other's effects for their
 * own. Each waits for those before it.
 */
export function createLane(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
