import { randomUUID } from 'node:crypto';
import { delay, retry } from '@drawbridge/base';
import { systemClock } from '@drawbridge/link';
import { LedgerError, type LedgerErrorCode } from '../ledger-error.ts';
import { type Answer, answersOf } from './batch-outcome.ts';
import type { PackedTransaction } from './packed-transaction.ts';
import { isTransient, ledgerError } from './postgres-error.ts';
import type { Wire } from './wire.ts';

const COMMIT = 'SELECT commit_batch($1::uuid, $2::bigint, $3::text) AS outcome';
const SETTLE = 'SELECT settle_lane($1::uuid, $2::bigint) AS outcome';
const RETRY_MS = 50;
const MAX_REMEMBERED = 4_096;
/** Failures of the whole batch, not of one transaction. */
const UNSENT: ReadonlySet<LedgerErrorCode> = new Set(['ledger_unknown', 'ledger_unreachable', 'ledger_busy']);

/** One connection that commits one batch at a time. */
export interface CommitConnection {
  /**
   * One answer per transaction; a batch that cannot commit together is retried one by one, so none fails for
   * another.
   */
  readonly commit: (batch: readonly PackedTransaction[], until: number) => Promise<readonly Answer[]>;
}

interface Sent {
  readonly number: number;
  readonly batch: readonly PackedTransaction[];
}

/**
 * Batches are numbered, and a row in the database has the number and outcome of the latest committed
 * one. When the connection is lost after a batch was sent, that row is queried, which also bars the number,
 * so that a late batch does nothing. So the outcome is always known before anything else is sent, and nothing
 * committed is sent twice.
 */
export function createCommitConnection(wire: Wire, now: () => number): CommitConnection {
  const id = randomUUID();
  /** Committed transactions whose callers got `ledger_unknown`, for their retries. */
  const late = new Map<string, Answer>();
  let number = 0;
  let sent: Sent | undefined;

  /** The answers to a sent batch; undefined when it was not committed. */
  const settle = async ({ number: asked, batch }: Sent): Promise<readonly Answer[] | undefined> => {
    const outcome = await askOutcome(wire, SETTLE, id, asked);
    sent = undefined;
    return outcome === null ? undefined : answersOf(outcome, batch);
  };

  /** Retries until there is an answer; after the deadline throws `failure` of the last error. */
  const settleUntil = async (unsettled: Sent, until: number, failure: (cause: unknown) => LedgerError) => {
    try {
      const waitMs = () => (now() < until ? RETRY_MS : undefined);
      return await retry(() => settle(unsettled), { clock: systemClock, waitMs });
    } catch (error) {
      throw failure(error);
    }
  };

  const send = async (batch: readonly PackedTransaction[], until: number): Promise<readonly Answer[]> => {
    for (;;) {
      number += 1;
      const underWay = { number, batch };
      sent = underWay;
      try {
        const outcome = await askOutcome(wire, COMMIT, id, number, batchText(batch));
        sent = undefined;
        return answersOf(outcome ?? '[]', batch);
      } catch (error) {
        const found = await settleUntil(underWay, until, unknownOutcome);
        if (found !== undefined) return found;
        if (!isTransient(error) || now() >= until) throw ledgerError(error);
        await delay(systemClock, RETRY_MS);
      }
    }
  };

  const commit = async (batch: readonly PackedTransaction[], until: number): Promise<readonly Answer[]> => {
    try {
      if (sent !== undefined) {
        // Given up before: without its outcome, a retry looks like a new transaction.
        const { batch: before } = sent;
        const found = await settleUntil(sent, until, ledgerError);
        if (found !== undefined) remember(late, before, found);
      }
      const known = late.size === 0 ? [] : batch.map((each) => takeFrom(late, each));
      const fresh = batch.filter((_, index) => known[index] === undefined);
      const answers = (fresh.length === 0 ? [] : await send(fresh, until)).values();
      return batch.map((_, index) => known[index] ?? answers.next().value ?? unanswered());
    } catch (error) {
      const failure = ledgerError(error);
      if (batch.length === 1 || UNSENT.has(failure.code)) return batch.map(() => failure);
      const answers: Answer[] = [];
      for (const each of batch) answers.push(...(await commit([each], until)));
      return answers;
    }
  };

  return { commit };
}

function takeFrom(late: Map<string, Answer>, { text }: PackedTransaction): Answer | undefined {
  const answer = late.get(text);
  late.delete(text);
  return answer;
}

function remember(late: Map<string, Answer>, batch: readonly PackedTransaction[], found: readonly Answer[]) {
  for (const [index, { text, event_ids }] of batch.entries()) {
    const answer = found[index];
    // An event_id is unique, so the same text is the same transaction; other writes may be meant again.
    const isOnce = event_ids.some((event_id) => event_id !== undefined);
    if (answer !== undefined && 'committed' in answer && answer.committed && isOnce) late.set(text, answer);
  }
  for (const oldest of [...late.keys()].slice(0, Math.max(0, late.size - MAX_REMEMBERED)))
    late.delete(oldest);
}

async function askOutcome(
  wire: Wire,
  statement: string,
  ...values: (string | number)[]
): Promise<string | null> {
  const [row] = await wire.ask(statement, ...values);
  const outcome = row?.['outcome'];
  return typeof outcome === 'string' ? outcome : null;
}

function batchText(batch: readonly PackedTransaction[]): string {
  const sessions = [...new Set(batch.flatMap((each) => each.sessions))];
  const hasGlobal = batch.some(({ isGlobal }) => isGlobal);
  const fenced = batch.some(({ term }) => term !== undefined);
  const head = JSON.stringify({ sessions, house: hasGlobal, fenced }).slice(0, -1);
  return `${head},"transactions":[${batch.map(({ text }) => text).join(',')}]}`;
}

const unanswered = () => new LedgerError('ledger_io', 'The database did not answer for all of it.');

const unknownOutcome = (cause: unknown): LedgerError =>
  new LedgerError(
    'ledger_unknown',
    'The connection to the database was lost, so it is unknown whether this was recorded. Try again with the same ids.',
    cause,
  );
