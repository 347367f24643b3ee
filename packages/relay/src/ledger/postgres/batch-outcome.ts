import { LedgerError } from '../ledger-error.ts';
import { launchOf, messageOf, promptOf, sessionOf, taskOf } from '../rows/record-rows.ts';
import type { Row } from '../rows/row.ts';
import type { Outcome, Refusal } from '../writes.ts';
import type { PackedTransaction } from './packed-transaction.ts';

/** Outcome of one transaction in `commit_batch`. */
type Said =
  | { readonly results: readonly SaidResult[] }
  | { readonly at: number; readonly refusal: SaidRefusal }
  | { readonly fenced: true };

/** For an event: its sequence, and its hash, which is not used. */
type SaidResult = readonly [number, string] | object | null;

interface SaidRefusal {
  readonly reason: Refusal['reason'];
  readonly session_id: string;
  readonly session: Row;
  readonly message: Row;
  readonly prompt: Row;
  readonly launch: Row;
  readonly task: Row | null;
}

export type Answer = Outcome | LedgerError;

/** Outcome of `commit_plain`: all events, in order. */
interface SaidPlain {
  readonly sequences: readonly number[];
}

export function answersOf(text: string, batch: readonly PackedTransaction[]): readonly Answer[] {
  const said = parseSaid(text);
  if ('sequences' in said) return plainAnswers(said, batch);
  return batch.map((_, place) => {
    const one = said[place];
    if (one === undefined) return new LedgerError('ledger_io', 'The database did not answer for all of it.');
    if ('fenced' in one) {
      return new LedgerError('ledger_fenced', 'Another node is the leader now; nothing was recorded.');
    }
    if ('refusal' in one) return { committed: false, at: one.at, refusal: refusalOf(one.refusal) };
    return { committed: true, results: parseResults(one.results) };
  });
}

function plainAnswers({ sequences }: SaidPlain, batch: readonly PackedTransaction[]): readonly Answer[] {
  let next = 0;
  return batch.map(({ event_ids }) => {
    const results = event_ids.map((_, place) => ({ sequence: sequences[next + place] ?? 0 }));
    next += event_ids.length;
    return { committed: true, results: parseResults(results) };
  });
}

function refusalOf(said: SaidRefusal): Refusal {
  const { reason } = said;
  switch (reason) {
    case 'session_unknown':
      return { reason, session_id: said.session_id };
    case 'session_exists':
      return { reason, session: sessionOf(said.session) };
    case 'message_repeated':
    case 'message_conflict':
    case 'message_changed':
      return { reason, message: messageOf(said.message) };
    case 'prompt_open':
    case 'prompt_changed':
      return { reason, prompt: promptOf(said.prompt) };
    case 'launch_pending':
      return { reason, launch: launchOf(said.launch) };
    case 'task_changed':
      return { reason, task: said.task === null ? undefined : taskOf(said.task) };
    default:
      return { reason };
  }
}

/** Trusts the output of our own database function. */
function parseSaid(text: string): readonly (Said | undefined)[] | SaidPlain {
  return JSON.parse(text);
}

/** The type cannot express that results are in the order of the writes. */
function parseResults(results: readonly SaidResult[]) {
  return results.map((result) =>
    Array.isArray(result) ? { sequence: result[0] } : result,
  ) as readonly null[];
}
