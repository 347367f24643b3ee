import type { Ledger } from '../ledger/ledger.ts';
import type { AppendEvent, Outcome, Write } from '../ledger/writes.ts';
import type { Feed } from './feed.ts';
import { type EventBody, type EventType, parseJson } from './frames.ts';
import type { Insist } from './insistence.ts';
import type { Peers } from './peers.ts';
import type { CoreTimes } from './ports.ts';
import type { Sessions } from './sessions.ts';

/** What every part of the core stands on. */
export interface Base {
  readonly ledger: Ledger;
  readonly times: CoreTimes;
  readonly now: () => number;
  readonly id: (kind: string) => string;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Work that a stop waits for; what it throws is a fault. */
  readonly run: (work: Promise<unknown>) => void;
  readonly onFault: (error: unknown) => void;
  /** Until the store takes it. */
  readonly insist: Insist;
  readonly sessions: Sessions;
  readonly peers: Peers;
  readonly feed: Feed;
  /**
   * Stores it, and then broadcasts the events among the writes. The ledger takes commits in the order in
   * which they are asked for, and may answer them in any. `before` runs between the two, with the first event's sequence.
   */
  readonly commit: (
    session_id: string,
    writes: readonly Write[],
    before?: (sequence: number) => void,
  ) => Promise<Outcome>;
  readonly event: EventWriter;
}

/** The write that appends an event. */
type EventWriter = <Type extends EventType>(
  session_id: string,
  type: Type,
  body: EventBody<Type>,
  more: { readonly at: number; readonly message_id?: string },
) => AppendEvent;

export function createEventWriter(id: (kind: string) => string): EventWriter {
  return (session_id, type, body, more) => ({
    ...more,
    do: 'append_event',
    session_id,
    event_id: id('evt'),
    type,
    payload: parseJson(body),
  });
}
