import { LedgerError, type LedgerErrorCode } from '@drawbridge/ledger';
import { expect, test } from 'vitest';
import { createRetryUntilStored } from './core-context.ts';

/** Attempts made when the ledger fails with this code, given as many retries as it wants. */
async function triesAt(code: LedgerErrorCode): Promise<number> {
  let tries = 0;
  const later: (() => void)[] = [];
  const running: Promise<unknown>[] = [];
  const retryUntilStored = createRetryUntilStored({
    after: (_, run) => {
      later.push(run);
      return () => {};
    },
    run: (work) => running.push(work),
    onError: () => {},
  });
  await retryUntilStored(async () => {
    tries += 1;
    if (tries < 3) throw new LedgerError(code, 'It could not be stored.');
  });
  for (let next = later.shift(); next !== undefined; next = later.shift()) {
    next();
    await Promise.all(running);
  }
  return tries;
}

test.each([
  ['ledger_full', 3],
  ['ledger_io', 3],
  ['ledger_busy', 3],
  ['ledger_invalid', 1],
  ['ledger_damaged', 1],
  ['ledger_closed', 1],
] as const)('work that fails with %s is tried %i times', async (code, tries) => {
  expect(await triesAt(code)).toBe(tries);
});
