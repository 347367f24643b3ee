import { type Clock, delay } from './clock.ts';

export interface RetryOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Wait before the next attempt, by the error and the number of failed attempts; undefined gives up. */
  readonly waitMs: (error: unknown, failed: number) => number | undefined;
  /** Ends the wait; the error of the last attempt is thrown. */
  readonly signal?: AbortSignal;
}

/** Repeats the work until it succeeds. Throws the last error when it is given up or aborted. */
export async function retry<Value>(
  work: () => Promise<Value>,
  { clock, waitMs, signal }: RetryOptions,
): Promise<Value> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await work();
    } catch (error) {
      const wait = waitMs(error, failed);
      if (wait === undefined || signal?.aborted) throw error;
      await delay(clock, wait, signal);
      if (signal?.aborted) throw error;
    }
  }
}
