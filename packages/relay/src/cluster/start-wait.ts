import { type Clock, retry } from '@drawbridge/base';
import { LedgerError } from '@drawbridge/ledger';
import type { Problem } from '../server/health.ts';
import type { Log } from '../server/log.ts';

export interface StartWaitOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
  /** Ends the wait: the start fails with the last error. */
  readonly signal: AbortSignal | undefined;
  /** Called once, when the wait begins. */
  readonly onWait: ((message: string) => void) | undefined;
}

/** Wait of a starting node for its database. */
export interface StartWait {
  readonly problem: () => Problem | undefined;
  /** Repeats a step while the database cannot be reached. Any other error is thrown. */
  readonly until: <Opened>(open: () => Promise<Opened>) => Promise<Opened>;
}

const AGAIN_MS = 1_000;
/** The wait is logged again after this many attempts. */
const LOG_EVERY = 60;
const NO_DATABASE: Problem = {
  part: 'ledger',
  message: 'The database does not answer. This relay waits for it, and then starts.',
};

export function createStartWait({ clock, log, signal, onWait }: StartWaitOptions): StartWait {
  let isWaiting = false;
  let isTold = false;
  return {
    problem: () => (isWaiting ? NO_DATABASE : undefined),
    async until(open) {
      const opened = await retry(open, {
        clock,
        ...(signal && { signal }),
        waitMs(error, failed) {
          if (!isUnreachable(error)) return undefined;
          isWaiting = true;
          if (failed % LOG_EVERY === 1) log('waiting', { part: 'database' });
          if (!isTold) onWait?.(NO_DATABASE.message);
          isTold = true;
          return AGAIN_MS;
        },
      });
      isWaiting = false;
      return opened;
    },
  };
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof LedgerError && (error.code === 'ledger_unreachable' || error.code === 'ledger_busy');
