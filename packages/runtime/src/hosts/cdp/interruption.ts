/** Ends all pending waits on the same condition early. */
export interface Interruption {
  /** The work's result, or the interruption when that comes first. */
  readonly guard: <T>(work: Promise<T>) => Promise<T>;
  readonly interrupt: (error: Error) => void;
}

export function createInterruption(): Interruption {
  const waiting = new Set<(error: Error) => void>();
  return {
    guard: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        const done = () => waiting.delete(reject);
        work.then(
          (value) => {
            done();
            resolve(value);
          },
          (error: unknown) => {
            done();
            reject(error);
          },
        );
      }),
    interrupt(error) {
      const all = [...waiting];
      waiting.clear();
      for (const reject of all) reject(error);
    },
  };
}
