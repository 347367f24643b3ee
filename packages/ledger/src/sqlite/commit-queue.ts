import type { Clock } from '@drawbridge/base';
import { systemClock } from '@drawbridge/link';
import { LedgerError } from '../ledger-error.ts';
import { enqueue, isOfPerson, PEOPLES_SHARE, type Queued, sessionOf } from '../people-first.ts';
import type { CommitResult, Write } from '../writes.ts';
import type { Transaction } from './store.ts';
import { errorOf, type GroupAnswer } from './thread.ts';

interface Waiting extends Queued {
  readonly transaction: Transaction;
  readonly chars: number;
  /** A method, because callers know the types of their results. */
  resolve(outcome: unknown): void;
  readonly reject: (error: unknown) => void;
}

export interface CommitQueueLimits {
  /** Transactions per commit, which bounds the time that a read waits behind it. */
  readonly maxGroup: number;
  /** Characters per commit, because a person's send waits for the sync of all of it. */
  readonly maxGroupChars?: number;
  /** Queue limit; the next transaction is refused with `ledger_busy`. */
  readonly maxWaiting: number;
}

const monotonicClock: Clock = { ...systemClock, now: () => performance.now() };

/** Smallest group that is sent while another commit is under way: smaller ones would each cost a sync. */
const NEXT_GROUP = 64;
/**
 * Minimum interval of commits under load: on a quick disk each would hold three or four transactions, and the
 * fixed cost of a commit would dominate. A single caller never waits.
 */
const APART_MS = 3;
const MANY = 4;
const MAX_GROUP_CHARS = 1_048_576;

/**
 * CHT-139: transactions that come during a commit share the next one, and its sync. The next one is sent
 * before the outcomes of the last are handled, or earlier when it is large; otherwise the disk idles while
 * sockets are served, and the reverse.
 */
export function createCommitQueue(
  commitGroup: (group: readonly Transaction[]) => Promise<GroupAnswer>,
  { maxGroup, maxGroupChars = MAX_GROUP_CHARS, maxWaiting }: CommitQueueLimits,
  clock = monotonicClock,
) {
  const enough = Math.min(NEXT_GROUP, maxGroup);
  const waiting: Waiting[] = [];
  let underWay = 0;
  let planned = false;
  let latest = { at: Number.NEGATIVE_INFINITY, size: 0 };
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  /** Transactions at the head that fit into one commit. */
  const nextGroup = (): number => {
    let chars = 0;
    for (let size = 0; size < maxGroup; size += 1) {
      const next = waiting[size];
      if (next === undefined) return size;
      chars += next.chars;
      if (size > 0 && chars > maxGroupChars) return size;
    }
    return maxGroup;
  };

  const handOver = (): void => {
    while (waiting.length >= (underWay === 0 ? 1 : enough) && underWay < 2) {
      const group = waiting.splice(0, nextGroup());
      latest = { at: clock.now(), size: group.length };
      void commitNext(group);
    }
    if (underWay === 0) idle.resolve();
  };

  /** The next commit starts after the minimum interval. `isGrouping`: not before the event loop's turn has ended. */
  const plan = (isGrouping: boolean): void => {
    const isSoon = latest.size < MANY || waiting.length === 0 || waiting.length >= enough;
    const ms = isSoon ? 0 : latest.at + APART_MS - clock.now();
    if (ms <= 0 && !isGrouping) {
      handOver();
      return;
    }
    if (planned) return;
    planned = true;
    const go = (): void => {
      planned = false;
      handOver();
    };
    if (ms > 0) clock.after(ms, go);
    else setImmediate(go);
  };

  const commitNext = async (group: readonly Waiting[]): Promise<void> => {
    underWay += 1;
    let answer: GroupAnswer = [];
    let failure: unknown;
    try {
      answer = await commitGroup(group.map(({ transaction }) => transaction));
    } catch (error) {
      failure = error;
    }
    underWay -= 1;
    plan(false);
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = answer[index];
      if (outcome === undefined)
        reject(failure ?? new LedgerError('ledger_io', 'The ledger did not answer.'));
      else if ('code' in outcome) reject(errorOf(outcome));
      else resolve(outcome);
    }
  };

  return {
    add: <const Writes extends readonly Write[]>(transaction: Transaction): Promise<CommitResult<Writes>> => {
      const ofPerson = isOfPerson(transaction);
      if (waiting.length >= (ofPerson ? maxWaiting : maxWaiting * (1 - PEOPLES_SHARE))) {
        const message = `${maxWaiting} transactions already wait for the disk. Try again later.`;
        return Promise.reject(new LedgerError('ledger_busy', message));
      }
      if (waiting.length === 0 && underWay === 0) idle = Promise.withResolvers();
      const { promise, resolve, reject } = Promise.withResolvers<CommitResult<Writes>>();
      const entry: Waiting = {
        transaction,
        chars: charsOf(transaction),
        isOfPerson: ofPerson,
        passed: 0,
        resolve,
        reject,
      };
      // All of them fit in one commit, where the order makes no difference.
      if (waiting.length < enough) waiting.push(entry);
      else enqueue(waiting, entry, sessionOf(transaction), touches);
      plan(true);
      return promise;
    },
    /** Commits without further delay, because a read comes after everything asked before. */
    flushNow: handOver,
    /** Resolves once the queue is empty. */
    idle: (): Promise<void> => idle.promise,
  };
}

const touches = ({ transaction }: Waiting, session_id: string): boolean =>
  transaction.some((write) => 'session_id' in write && write.session_id === session_id);

/** Approximate: large values are texts, except in tasks. */
function charsOf(transaction: Transaction): number {
  let chars = 0;
  for (const write of transaction) {
    if (write.do === 'append_event' || write.do === 'accept_message') {
      if (typeof write.payload === 'string') chars += write.payload.length;
    } else if (write.do === 'put_task') chars += TASK_CHARS;
  }
  return chars;
}

const TASK_CHARS = 65_536;
