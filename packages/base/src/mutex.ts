export type RunExclusive = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs one work at a time, in the order of the calls. The first starts synchronously, and a failed one does not
 * hold up the next.
 */
export function createMutex(): RunExclusive {
  let last: Promise<void> | undefined;
  return (work) => {
    const result = last === undefined ? work() : last.then(work);
    const over = (): void => {
      if (last === ended) last = undefined;
    };
    const ended = result.then(over, over);
    last = ended;
    return result;
  };
}
