import { LedgerError } from '../ledger-error.ts';
import { enqueue, isOfPerson, PEOPLES_SHARE, type Queued, sessionOf } from '../people-first.ts';
import type { Outcome } from '../writes.ts';
import type { Transaction } from './store.ts';
import { errorOf, type GroupAnswer } from './thread.ts';

interface Waiting extends Queued {
  readonly transaction: Transaction;
  readonly chars: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitQueue {
  readonly add: (transaction: Transaction) => Promise<Outcome>;
  /** Nothing more is waited for: what is read next is looked up after what was asked for before. */
  readonly hurry: () => void;
  /** Resolves once nothing waits. */
  readonly idle: () => Promise<void>;
}

export interface CommitQueueLimits {
  /** How many transactions share one commit: what bounds the time that a read waits behind it. */
  readonly maxGroup: number;
  /** How long they may be together: a person's send would wait for the sync of all of it. */
  readonly maxGroupChars?: number;
  /** How many may wait; the next is refused with `ledger_busy`. */
  readonly maxWaiting: number;
}

/** A clock that does not jump. */
export interface QueueClock {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
}

const systemClock: QueueClock = { now: () => performance.now(), after: (ms, run) => setTimeout(run, ms) };

/** A commit that waits behind another is worth it when it is this large: small ones would each be a sync. */
const NEXT_GROUP = 64;
/**
 * Where many ask, commits are so far apart at least: a quick disk would have each take three or four, and what a commit costs beside
 * its writes would be most of all the work. Who asks alone never waits.
 */
const APART_MS = 3;
const MANY = 4;
const MAX_GROUP_CHARS = 1_048_576;

/**
 * CHT-139: what comes while a commit is under way shares the next one, and its sync. The next one is handed over before the outcomes
 * of the last are acted on, or ahead of them when it is large: otherwise the disk waits for the screens and they for the disk.
 */
export function createCommitQueue(
  commitGroup: (group: readonly Transaction[]) => Promise<GroupAnswer>,
  { maxGroup, maxGroupChars = MAX_GROUP_CHARS, maxWaiting }: CommitQueueLimits,
  clock = systemClock,
): CommitQueue {
  const enough = Math.min(NEXT_GROUP, maxGroup);
  const waiting: Waiting[] = [];
  let underWay = 0;
  let planned = false;
  let latest = { at: Number.NEGATIVE_INFINITY, size: 0 };
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  /** How many of the first fit into one commit. */
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

  /** How long the next commit is too soon. */
  const rest = (): number =>
    latest.size < MANY || waiting.length >= enough ? 0 : latest.at + APART_MS - clock.now();

  /** What is asked for in the same turn of the loop, by all of its sockets, goes together. */
  const plan = (): void => {
    if (planned) return;
    planned = true;
    const go = (): void => {
      planned = false;
      handOver();
    };
    const ms = rest();
    if (ms > 0) clock.after(ms, go);
    else setImmediate(go);
  };

  const goOn = (): void => {
    if (waiting.length > 0 && rest() > 0) plan();
    else handOver();
  };

  const commitNext = async (group: readonly Waiting[]): Promise<void> => {
    underWay += 1;
    let settle: (each: Waiting, place: number) => void;
    try {
      const answer = await commitGroup(group.map(({ transaction }) => transaction));
      settle = ({ resolve, reject }, place) => {
        const outcome = answer[place];
        if (outcome === undefined) reject(new LedgerError('ledger_io', 'The ledger did not answer.'));
        else if ('code' in outcome) reject(errorOf(outcome));
        else resolve(outcome);
      };
    } catch (error) {
      settle = ({ reject }) => reject(error);
    }
    underWay -= 1;
    goOn();
    group.forEach(settle);
  };

  return {
    add: (transaction) =>
      new Promise((resolve, reject) => {
        const ofPerson = isOfPerson(transaction);
        if (waiting.length >= (ofPerson ? maxWaiting : maxWaiting * (1 - PEOPLES_SHARE))) {
          const message = `${maxWaiting} transactions wait for the disk already. Try again later.`;
          reject(new LedgerError('ledger_busy', message));
          return;
        }
        if (waiting.length === 0 && underWay === 0) idle = Promise.withResolvers();
        const entry: Waiting = {
          transaction,
          chars: charsOf(transaction),
          isOfPerson: ofPerson,
          session_id: sessionOf(transaction),
          passed: 0,
          resolve,
          reject,
        };
        // Less goes in one commit: who is first in it makes no difference.
        if (waiting.length < enough) waiting.push(entry);
        else enqueue(waiting, entry, touches);
        plan();
      }),
    hurry: handOver,
    idle: () => idle.promise,
  };
}

const touches = ({ transaction }: Waiting, session_id: string): boolean =>
  transaction.some((write) => 'session_id' in write && write.session_id === session_id);

/** About: what is large comes as text, tasks aside. */
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
