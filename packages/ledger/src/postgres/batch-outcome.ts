import { LedgerError } from '../ledger-error.ts';
import { launchOf, messageOf, promptOf, sessionOf, taskOf } from '../rows/record-rows.ts';
import type { Row } from '../rows/row.ts';
import type { CommitResult, Refusal } from '../writes.ts';
import type { PackedTransaction } from './packed-transaction.ts';

/** Outcome of one transaction in `commit_batch`. */
type RawOutcome =
  | { readonly results: readonly RawResult[] }
  | { readonly at: number; readonly refusal: RawRefusal }
  | { readonly fenced: true };

/** For an event: its sequence, and its hash, which is not used. */
type RawResult = readonly [number, string] | object | null;

interface RawRefusal {
  readonly reason: Refusal['reason'];
  readonly session_id: string;
  readonly session: Row;
  readonly message: Row;
  readonly prompt: Row;
  readonly launch: Row;
  readonly task: Row | null;
}

export type Answer = CommitResult | LedgerError;

export function answersOf(text: string, batch: readonly PackedTransaction[]): readonly Answer[] {
  const raw = trustRawOutcomes(text);
  return batch.map((_, index) => {
    const one = raw[index];
    if (one === undefined) return new LedgerError('ledger_io', 'The database did not answer for all of it.');
    if ('fenced' in one) {
      return new LedgerError('ledger_fenced', 'Another node is the leader now; nothing was recorded.');
    }
    if ('refusal' in one) return { committed: false, at: one.at, refusal: refusalOf(one.refusal) };
    return { committed: true, results: parseResults(one.results) };
  });
}

function refusalOf(raw: RawRefusal): Refusal {
  const { reason } = raw;
  switch (reason) {
    case 'session_unknown':
      return { reason, session_id: raw.session_id };
    case 'session_exists':
      return { reason, session: sessionOf(raw.session) };
    case 'message_repeated':
    case 'message_conflict':
    case 'message_changed':
      return { reason, message: messageOf(raw.message) };
    case 'prompt_open':
    case 'prompt_changed':
      return { reason, prompt: promptOf(raw.prompt) };
    case 'launch_pending':
      return { reason, launch: launchOf(raw.launch) };
    case 'task_changed':
      return { reason, task: raw.task === null ? undefined : taskOf(raw.task) };
    default:
      return { reason };
  }
}

/** Trusts the output of our own database function. */
function trustRawOutcomes(text: string): readonly (RawOutcome | undefined)[] {
  return JSON.parse(text);
}

/** The type cannot express that results are in the order of the writes. */
function parseResults(results: readonly RawResult[]) {
  return results.map((result) =>
    Array.isArray(result) ? { sequence: result[0] } : result,
  ) as readonly null[];
}
