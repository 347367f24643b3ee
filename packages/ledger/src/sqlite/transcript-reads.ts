import { damaged, integerOrNull, type Row } from '../rows/row.ts';
import { QUERIES } from './queries.ts';
import type { Sql } from './sql.ts';

/**
 * Follows a session's transcript backwards by `said` links; rows of older versions are found by their index.
 */
export function* transcriptBefore(
  { one, each }: Sql,
  { session, head, oldest }: { readonly session: number; readonly head: number; readonly oldest: number },
  sequence: number,
  limit: number,
): Iterable<Row> {
  let left = limit;
  let at = Math.min(sequence - 1, head);
  for (let isSaid = false; at >= oldest && left > 0; isSaid = true) {
    const row = one(QUERIES.event, session, at);
    if (row === undefined) throw damaged(`event ${at} is missing`);
    const before = integerOrNull(row, 'said');
    if (before === null) {
      yield* each(QUERIES.unlinkedBefore, session, at + 1, left);
      return;
    }
    if (row['message_id'] !== null) {
      left -= 1;
      yield row;
    } else if (isSaid) throw damaged(`event ${at} says nothing, and a later one leads there`);
    if (before >= at) throw damaged(`event ${at} of the transcript leads to a later one`);
    at = before;
  }
}

/** The latest event of a message; a send's first one follows its acceptance. */
export function latestOfMessage({ one }: Sql, session: number, message_id: string): Row | undefined {
  return one(QUERIES.latestOfMessage, session, message_id) ?? one(QUERIES.saidOfSend, session, message_id);
}
