import { LedgerError, type LedgerErrorCode } from '../ledger/ledger-error.ts';

interface Means {
  readonly after: (ms: number, run: () => void) => () => void;
  readonly run: (work: Promise<unknown>) => void;
  readonly onError: (error: unknown) => void;
}

export type RetryUntilStored = (work: () => Promise<unknown>) => Promise<void>;

/** A retry would fail again. */
const HOPELESS: ReadonlySet<LedgerErrorCode> = new Set([
  'ledger_closed',
  'ledger_invalid',
  'ledger_damaged',
  'ledger_fenced',
]);
const RETRY_MS = 1_000;

/**
 * Retries a fact that nobody will report again, such as a result, a deadline or an end, until the ledger
 * stores it, for example after a full disk. Resolves after the first try.
 */
export function createRetryUntilStored({ after, run, onError }: Means): RetryUntilStored {
  const retryUntilStored: RetryUntilStored = async (work) => {
    try {
      await work();
    } catch (error) {
      onError(error);
      if (!(error instanceof LedgerError) || HOPELESS.has(error.code)) return;
      after(RETRY_MS, () => run(retryUntilStored(work)));
    }
  };
  return retryUntilStored;
}
