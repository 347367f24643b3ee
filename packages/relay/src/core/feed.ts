import type { Ledger } from '../ledger/ledger.ts';
import type { RelayEvent } from './ports.ts';

/** Each session's events, in the order of their sequences, each once, from wherever they are heard. */
export interface Feed {
  /** A commit of this relay's own has begun; what is returned says that it is over. */
  readonly expect: (session_id: string) => () => void;
  /** What a commit or a note brings: in any order, repeated, with holes. */
  readonly offer: (session_id: string, events: readonly RelayEvent[]) => void;
  /** The sequence of the latest event that went out. */
  readonly head: (session_id: string) => number;
  /** A session that begins, also under the id of one that was deleted. */
  readonly begin: (session_id: string) => void;
}

interface Line {
  head: number;
  /** The largest sequence that is known to exist. */
  latest: number;
  /** What came before its turn. */
  readonly early: Map<number, RelayEvent>;
  /** Commits under way, the oldest first: what is missing may be theirs, and then it comes by itself. */
  readonly expected: Set<number>;
  /** The latest commit that was under way when a hole was seen. */
  holeSince: number | undefined;
  filling: boolean;
}

interface FeedOptions {
  readonly ledger: Ledger;
  readonly heads: ReadonlyMap<string, number>;
  readonly dispatch: (event: RelayEvent) => void;
  readonly run: (work: Promise<unknown>) => void;
}

const FILL_EVENTS = 500;

export function createFeed({ ledger, heads, dispatch, run }: FeedOptions): Feed {
  const lines = new Map<string, Line>();
  let commits = 0;
  const open = (session_id: string, head: number): Line => {
    const line: Line = {
      head,
      latest: head,
      early: new Map(),
      expected: new Set(),
      holeSince: undefined,
      filling: false,
    };
    lines.set(session_id, line);
    return line;
  };
  const lineOf = (session_id: string): Line =>
    lines.get(session_id) ?? open(session_id, heads.get(session_id) ?? 0);

  const pass = (line: Line, event: RelayEvent): void => {
    line.head = event.sequence;
    dispatch(event);
  };

  const take = (line: Line, events: readonly RelayEvent[]): void => {
    for (const event of events) {
      line.latest = Math.max(line.latest, event.sequence);
      if (event.sequence === line.head + 1) pass(line, event);
      else if (event.sequence > line.head) line.early.set(event.sequence, event);
    }
    while (line.early.size > 0) {
      const next = line.early.get(line.head + 1);
      if (next === undefined) break;
      pass(line, next);
      line.early.delete(next.sequence);
    }
  };

  /** What lies between is in the ledger. */
  const fill = async (session_id: string, line: Line): Promise<void> => {
    try {
      while (line.head < line.latest) {
        const page = await ledger.eventsAfter(session_id, line.head, FILL_EVENTS);
        const before = line.head;
        if (page === undefined) line.latest = line.head;
        // What was pruned meanwhile is nobody's to see.
        else if (page.oldest > line.head + 1) line.head = page.oldest - 1;
        take(line, page?.events ?? []);
        if (line.head === before) return;
      }
    } finally {
      for (const sequence of line.early.keys()) if (sequence <= line.head) line.early.delete(sequence);
      line.filling = false;
      line.holeSince = undefined;
    }
  };

  const fillWhenNeeded = (session_id: string, line: Line): void => {
    if (line.head >= line.latest) line.holeSince = undefined;
    else line.holeSince ??= commits;
    if (line.filling || line.holeSince === undefined) return;
    const [oldest = Number.POSITIVE_INFINITY] = line.expected;
    if (oldest <= line.holeSince) return;
    line.filling = true;
    run(fill(session_id, line));
  };

  return {
    expect: (session_id) => {
      const line = lineOf(session_id);
      commits += 1;
      const commit = commits;
      line.expected.add(commit);
      return () => {
        line.expected.delete(commit);
        fillWhenNeeded(session_id, line);
      };
    },
    offer: (session_id, events) => {
      const line = lineOf(session_id);
      take(line, events);
      fillWhenNeeded(session_id, line);
    },
    head: (session_id) => lineOf(session_id).head,
    begin: (session_id) => {
      open(session_id, 0);
    },
  };
}
