import type { Write } from './writes.ts';

/** A transaction that waits for its commit. */
export interface Queued {
  /** A person waits for it. */
  readonly isOfPerson: boolean;
  /** The session of a person's transaction: what was asked for about it before keeps its place. */
  readonly session_id: string | undefined;
  /** How many people's transactions have passed it. */
  passed: number;
}

/** A part of the queue is for people: agents are refused before it is full. */
export const PEOPLES_SHARE = 0.2;
/** After so many have passed it, a transaction keeps its place: nobody waits forever. */
export const MOST_PASSED = 256;

interface AnyWrite {
  readonly do: Write['do'] | 'forwarded';
  readonly to?: unknown;
  readonly session_id?: unknown;
}

/** A send, an answer, a revoked device, an entry of the audit. */
export function isOfPerson([first]: readonly AnyWrite[]): boolean {
  if (first === undefined) return false;
  if (first.do === 'move_prompt') return first.to === 'answering';
  return first.do === 'accept_message' || first.do === 'revoke_device' || first.do === 'audit';
}

export const sessionOf = ([first]: readonly AnyWrite[]): string | undefined =>
  typeof first?.session_id === 'string' ? first.session_id : undefined;

/** A person's transaction goes before the agents' that wait, but not before one about its own session. */
export function enqueue<Entry extends Queued>(
  queue: Entry[],
  entry: Entry,
  touches: (entry: Entry, session_id: string) => boolean,
): void {
  const { session_id } = entry;
  const mayPass = (before: Entry | undefined): boolean => {
    if (before === undefined || before.isOfPerson || before.passed >= MOST_PASSED) return false;
    return session_id === undefined || !touches(before, session_id);
  };
  let place = queue.length;
  if (entry.isOfPerson) while (mayPass(queue[place - 1])) place -= 1;
  for (let at = place; at < queue.length; at += 1) {
    const passed = queue[at];
    if (passed !== undefined) passed.passed += 1;
  }
  queue.splice(place, 0, entry);
}
