import type { Write } from './writes.ts';

/** A transaction that waits for its commit. */
export interface Queued {
  /** A person waits for the result. */
  readonly isOfPerson: boolean;
  /** People's transactions that have passed this one. */
  passed: number;
}

/** Share of the queue reserved for people: agents are refused before it is full. */
export const PEOPLES_SHARE = 0.2;
/** A transaction passed this often keeps its position, so nothing waits forever. */
export const MOST_PASSED = 256;

interface AnyWrite {
  readonly do: Write['do'] | 'forwarded';
  readonly to?: unknown;
  readonly session_id?: unknown;
}

/** True for a send, an answer, a revocation or an audit entry. */
export function isOfPerson([first]: readonly AnyWrite[]): boolean {
  if (first === undefined) return false;
  if (first.do === 'move_prompt') return first.to === 'answering';
  return first.do === 'accept_message' || first.do === 'revoke_device' || first.do === 'audit';
}

export const sessionOf = ([first]: readonly AnyWrite[]): string | undefined =>
  typeof first?.session_id === 'string' ? first.session_id : undefined;

/** Inserts a person's transaction before waiting ones of agents, but not before one of the same session: `session_id`. */
export function enqueue<Entry extends Queued>(
  queue: Entry[],
  entry: Entry,
  session_id: string | undefined,
  touches: (entry: Entry, session_id: string) => boolean,
): void {
  const mayPass = (before: Entry | undefined): boolean => {
    if (before === undefined || before.isOfPerson || before.passed >= MOST_PASSED) return false;
    return session_id === undefined || !touches(before, session_id);
  };
  let index = queue.length;
  if (entry.isOfPerson) while (mayPass(queue[index - 1])) index -= 1;
  for (let at = index; at < queue.length; at += 1) {
    const passed = queue[at];
    if (passed !== undefined) passed.passed += 1;
  }
  queue.splice(index, 0, entry);
}
