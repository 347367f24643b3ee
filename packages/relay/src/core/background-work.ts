/** Work under way that a stop waits for (CHT-259). */
interface BackgroundWork {
  readonly run: (work: Promise<unknown>) => void;
  readonly idle: () => Promise<void>;
}

export function createBackgroundWork(onError: (error: unknown) => void): BackgroundWork {
  let running = 0;
  let waiting: (() => void)[] = [];
  const done = (): void => {
    running -= 1;
    if (running > 0) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    run: (work) => {
      running += 1;
      work.then(done, (error: unknown) => {
        onError(error);
        done();
      });
    },
    idle: async () => {
      while (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
