import { LedgerError } from '../ledger-error.ts';
import type { Outcome } from '../writes.ts';
import type { Transaction } from './store.ts';
import { errorOf, type GroupAnswer } from './thread.ts';

interface Waiting {
  readonly transaction: Transaction;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitQueue {
  readonly add: (transaction: Transaction) => Promise<Outcome>;
  /** Resolves once nothing waits. */
  readonly idle: () => Promise<void>;
}

export interface CommitQueueLimits {
  /** How many transactions share one commit: what bounds the time that a read waits behind it. */
  readonly maxGroup: number;
  /** How many may wait; the next is refused with `ledger_busy`. */
  readonly maxWaiting: number;
}

/** CHT-139: what comes while a commit is under way shares the next one, and its sync. */
export function createCommitQueue(
  commitGroup: (group: readonly Transaction[]) => Promise<GroupAnswer>,
  { maxGroup, maxWaiting }: CommitQueueLimits,
): CommitQueue {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    // What is asked for in the same turn of the loop goes together, also when nothing was under way.
    await Promise.resolve();
    while (waiting.length > 0) await commitNext(waiting.splice(0, maxGroup));
    running = undefined;
  };

  const commitNext = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const answer = await commitGroup(group.map(({ transaction }) => transaction));
      for (const [place, { resolve, reject }] of group.entries()) {
        const outcome = answer[place];
        if (outcome === undefined) reject(new LedgerError('ledger_io', 'The ledger did not answer.'));
        else if ('code' in outcome) reject(errorOf(outcome));
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return {
    add: (transaction) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) {
          const message = `${maxWaiting} transactions wait for the disk already. Try again later.`;
          reject(new LedgerError('ledger_busy', message));
          return;
        }
        waiting.push({ transaction, resolve, reject });
        running ??= drain();
      }),
    idle: async () => running,
  };
}
