import type { Ledger } from '../ledger/ledger.ts';
import type { AppendEvent, CommitResult, Write } from '../ledger/writes.ts';
import type { Feed } from './feed.ts';
import { type EventBody, type EventType, parseJson } from './frames.ts';
import type { Peers } from './peers.ts';
import type { CoreTimes } from './ports.ts';
import type { RetryUntilStored } from './retry-until-stored.ts';
import type { Sessions } from './sessions.ts';

/** Core context: everything that a part of the core uses. */
export interface CoreContext {
  /** True on a single relay and on the leader, which have the proxies. */
  readonly isLeader: boolean;
  readonly ledger: Ledger;
  readonly times: CoreTimes;
  readonly now: () => number;
  readonly id: (kind: string) => string;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Tracks work that a stop waits for; a rejection is reported to onError. */
  readonly run: (work: Promise<unknown>) => void;
  readonly onError: (error: unknown) => void;
  /** Retries until the ledger stores the write. */
  readonly retryUntilStored: RetryUntilStored;
  readonly sessions: Sessions;
  readonly peers: Peers;
  readonly feed: Feed;
  /**
   * Commits the writes, then broadcasts their events. The ledger applies commits in call order and may answer
   * in any order. `before` runs before the broadcast, with the first event's sequence.
   */
  readonly commit: (
    session_id: string,
    writes: readonly Write[],
    before?: (sequence: number) => void,
  ) => Promise<CommitResult>;
  readonly event: EventWriter;
}

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
