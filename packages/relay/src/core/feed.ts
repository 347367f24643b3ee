import type { CommitResult, Ledger, Write } from '@drawbridge/ledger';
import type { Bus, RelayEvent } from './ports.ts';

/** Puts each session's events into sequence order, each once, and fills gaps from the ledger. */
export type Feed = ReturnType<typeof createFeed>;

interface FeedListener {
  readonly onEvent: (event: RelayEvent) => void;
  /** The ledger no longer has the session. */
  readonly onGone: (session_id: string) => void;
  /** Events of this node were published. */
  readonly onPublished?: (session_id: string) => void;
}

interface Line {
  head: number;
  headId: string | undefined;
  /** The largest sequence known to exist. */
  latest: number;
  /** Events ahead of the head; undefined while there are none, because most sessions are quiet. */
  early: Map<number, RelayEvent> | undefined;
  /** Commits under way, the oldest first; they may fill a gap without a read. */
  expected: Set<number> | undefined;
  /** The latest commit under way when a gap was seen. */
  holeSince: number | undefined;
  /** Waits for a bus message that may close the gap. */
  patient: boolean;
  filling: boolean;
  /** Callers that wait for a sequence. */
  awaited: readonly { readonly sequence: number; readonly resolve: () => void }[];
}

const NOBODY: Line['awaited'] = [];

interface FeedOptions {
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly heads: ReadonlyMap<string, number>;
  readonly run: (work: Promise<unknown>) => void;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly onError: (error: unknown) => void;
  /** How long a gap waits for a bus message before the ledger is read; undefined reads at once. */
  readonly waitMs?: number;
}

export const FILL_EVENTS = 500;
const RETRY_MS = 1_000;

export function createFeed(options: FeedOptions) {
  const { ledger, bus, heads, run, after, onError, waitMs } = options;
  let listener: FeedListener = { onEvent: () => {}, onGone: () => {} };
  const lines = new Map<string, Line>();
  let commits = 0;
  const open = (session_id: string, head: number): Line => {
    const line: Line = {
      head,
      headId: undefined,
      latest: head,
      early: undefined,
      expected: undefined,
      holeSince: undefined,
      patient: false,
      filling: false,
      awaited: NOBODY,
    };
    lines.set(session_id, line);
    return line;
  };
  const lineOf = (session_id: string): Line =>
    lines.get(session_id) ?? open(session_id, heads.get(session_id) ?? 0);

  const pass = (line: Line, event: RelayEvent): void => {
    line.head = event.sequence;
    line.headId = event.event_id;
    listener.onEvent(event);
  };

  const tellAwaiting = (line: Line, reached: number): void => {
    const there = line.awaited.filter(({ sequence }) => sequence <= reached);
    line.awaited = line.awaited.filter(({ sequence }) => sequence > reached);
    for (const { resolve } of there) resolve();
  };

  const take = (line: Line, events: readonly RelayEvent[]): void => {
    for (const event of events) {
      line.latest = Math.max(line.latest, event.sequence);
      if (event.sequence === line.head + 1) pass(line, event);
      else if (event.sequence > line.head) {
        line.early ??= new Map();
        line.early.set(event.sequence, event);
      }
    }
    for (;;) {
      const next = line.early?.get(line.head + 1);
      if (next === undefined) break;
      pass(line, next);
      line.early?.delete(next.sequence);
    }
    if (line.awaited.length > 0) tellAwaiting(line, line.head);
  };

  const read = async (session_id: string, line: Line): Promise<void> => {
    while (line.head < line.latest) {
      const { head, latest } = line;
      const page = await ledger.eventsAfter(session_id, head, FILL_EVENTS);
      if (page === undefined) {
        line.latest = line.head;
        listener.onGone(session_id);
      }
      // Skips events that were pruned since.
      else if (page.oldest > line.head + 1) line.head = page.oldest - 1;
      take(line, page?.events ?? []);
      if (line.head > head || line.latest > latest) continue;
      // No such event exists: the sequence belonged to an earlier session of this id.
      line.early = undefined;
      line.latest = line.head;
    }
  };

  /** Fills a gap from the ledger. */
  const fill = async (session_id: string, line: Line): Promise<void> => {
    try {
      await read(session_id, line);
    } catch (error) {
      onError(error);
      after(RETRY_MS, () => fillWhenNeeded(session_id, line));
    } finally {
      for (const sequence of line.early?.keys() ?? [])
        if (sequence <= line.head) line.early?.delete(sequence);
      line.filling = false;
      line.holeSince = undefined;
      tellAwaiting(line, Number.POSITIVE_INFINITY);
    }
  };

  const fillWhenNeeded = (session_id: string, line: Line): void => {
    if (line.head >= line.latest) line.holeSince = undefined;
    else line.holeSince ??= commits;
    if (line.holeSince === undefined || line.filling || line.patient) return;
    const [oldest = Number.POSITIVE_INFINITY] = line.expected ?? [];
    if (oldest <= line.holeSince) return;
    line.filling = true;
    run(fill(session_id, line));
  };

  const fillOrWait = (session_id: string, line: Line): void => {
    if (line.head >= line.latest) {
      line.holeSince = undefined;
      return;
    }
    if (waitMs !== undefined && !line.patient && !line.filling) {
      line.patient = true;
      after(waitMs, () => {
        line.patient = false;
        fillWhenNeeded(session_id, line);
      });
    }
    fillWhenNeeded(session_id, line);
  };

  return {
    /** Called once, before the first event. */
    listen: (given: FeedListener): void => {
      listener = given;
    },
    /**
     * Commits the writes, then dispatches and publishes their events. The ledger applies commits in call order
     * and may answer in any order. `before` runs before the dispatch, with the first event's sequence.
     */
    commit: async (
      session_id: string,
      writes: readonly Write[],
      before?: (sequence: number) => void,
    ): Promise<CommitResult> => {
      const line = lineOf(session_id);
      commits += 1;
      const commit = commits;
      const expected = (line.expected ?? new Set()).add(commit);
      line.expected = expected;
      try {
        const outcome = await ledger.commit(writes);
        if (!outcome.committed) return outcome;
        const events = eventsOf(session_id, writes, outcome.results);
        const first = events[0];
        if (first === undefined) return outcome;
        before?.(first.sequence);
        // Directly, because the bus may lose them.
        take(line, events);
        bus.publish({ kind: 'appended', session_id, events });
        listener.onPublished?.(session_id);
        return outcome;
      } finally {
        expected.delete(commit);
        fillOrWait(session_id, line);
      }
    },
    /** Takes events of a commit or a bus message, in any order, with repeats and gaps. */
    offer: (session_id: string, events: readonly RelayEvent[]): void => {
      const line = lineOf(session_id);
      take(line, events);
      fillOrWait(session_id, line);
    },
    /** Resolves when that sequence was dispatched here, or cannot be read. */
    reach: (session_id: string, sequence: number): Promise<void> | undefined => {
      const line = lineOf(session_id);
      if (line.head >= sequence) return undefined;
      const reached = new Promise<void>((resolve) => {
        line.awaited = [...line.awaited, { sequence, resolve }];
      });
      line.latest = Math.max(line.latest, sequence);
      line.patient = false;
      fillWhenNeeded(session_id, line);
      return reached;
    },
    /** The sequence of the latest dispatched event. */
    head: (session_id: string): number => lineOf(session_id).head,
    /** The `event_id` of the head, if it was dispatched since the relay started. */
    headId: (session_id: string): string | undefined => lines.get(session_id)?.headId,
    /** Heads of all sessions that the feed knows. */
    heads: (): ReadonlyMap<string, number> =>
      new Map([...heads, ...[...lines].map(([id, line]) => [id, line.head] as const)]),
    /** Starts a session, also under the id of a deleted one. */
    begin: (session_id: string): void => {
      const line = lineOf(session_id);
      if (line.head === 0) return;
      line.head = 0;
      line.latest = 0;
      line.headId = undefined;
      line.early = undefined;
      tellAwaiting(line, Number.POSITIVE_INFINITY);
    },
  };
}

function eventsOf(
  session_id: string,
  writes: readonly Write[],
  results: readonly (object | null)[],
): readonly RelayEvent[] {
  const events: RelayEvent[] = [];
  for (const [index, write] of writes.entries()) {
    const result = results[index];
    if (!result || !('sequence' in result) || typeof result.sequence !== 'number') continue;
    const { sequence } = result;
    if (write.do === 'append_event') {
      const { event_id, type, payload, payload_text, at, message_id = null } = write;
      const text = payload_text === undefined ? undefined : { payload_text };
      events.push({ session_id, sequence, event_id, type, payload, ...text, at, message_id });
    }
    if (write.do === 'accept_message') {
      const { event_id, payload } = write.event;
      const { at } = write;
      events.push({
        session_id,
        sequence,
        event_id,
        type: 'message_accepted',
        payload,
        at,
        message_id: null,
      });
    }
  }
  return events;
}
