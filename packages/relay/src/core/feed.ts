import type { Ledger } from '../ledger/ledger.ts';
import type { RelayEvent } from './ports.ts';

/** Each session's events, in the order of their sequences, each once, from wherever they are heard. */
export interface Feed {
  /** A commit of this relay's own has begun; what is returned says that it is over. */
  readonly expect: (session_id: string) => () => void;
  /** What a commit or a note brings: in any order, repeated, with holes. */
  readonly offer: (session_id: string, events: readonly RelayEvent[]) => void;
  /** Somebody knows of that sequence: resolves when it went out here, or cannot be read. */
  readonly reach: (session_id: string, sequence: number) => Promise<void> | undefined;
  /** The sequence of the latest event that went out. */
  readonly head: (session_id: string) => number;
  /** Its `event_id`, where one went out since the relay started. */
  readonly headId: (session_id: string) => string | undefined;
  /** Those of which anything went out or is known, with their heads. */
  readonly heads: () => ReadonlyMap<string, number>;
  /** A session that begins, also under the id of one that was deleted. */
  readonly begin: (session_id: string) => void;
}

interface Line {
  head: number;
  headId: string | undefined;
  /** The largest sequence that is known to exist. */
  latest: number;
  /** What came before its turn; undefined as long as nothing did: most sessions are quiet. */
  early: Map<number, RelayEvent> | undefined;
  /** Commits under way, the oldest first: what is missing may be theirs, and then it comes by itself. */
  expected: Set<number> | undefined;
  /** The latest commit that was under way when a hole was seen. */
  holeSince: number | undefined;
  /** A note that closes the hole may be on its way. */
  patient: boolean;
  filling: boolean;
  /** Who waits for a sequence. */
  awaited: readonly { readonly sequence: number; readonly resolve: () => void }[];
}

const NOBODY: Line['awaited'] = [];

interface FeedOptions {
  readonly ledger: Ledger;
  readonly heads: ReadonlyMap<string, number>;
  readonly dispatch: (event: RelayEvent) => void;
  readonly run: (work: Promise<unknown>) => void;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly onFault: (error: unknown) => void;
  /** How long a hole that a note showed may wait for another note; undefined: it is read at once. */
  readonly patienceMs?: number;
  /** The ledger does not have it any more. */
  readonly onGone: (session_id: string) => void;
}

export const FILL_EVENTS = 500;
const RETRY_MS = 1_000;

export function createFeed(options: FeedOptions): Feed {
  const { ledger, heads, dispatch, run, after, onFault, patienceMs, onGone } = options;
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
    dispatch(event);
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
        onGone(session_id);
      }
      // What was pruned meanwhile is nobody's to see.
      else if (page.oldest > line.head + 1) line.head = page.oldest - 1;
      take(line, page?.events ?? []);
      if (line.head > head || line.latest > latest) continue;
      // There is no such event: it was of a session that had this id before.
      line.early = undefined;
      line.latest = line.head;
    }
  };

  /** What lies between is in the ledger. */
  const fill = async (session_id: string, line: Line): Promise<void> => {
    try {
      await read(session_id, line);
    } catch (error) {
      onFault(error);
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
    if (line.filling || line.patient || line.holeSince === undefined) return;
    const [oldest = Number.POSITIVE_INFINITY] = line.expected ?? [];
    if (oldest <= line.holeSince) return;
    line.filling = true;
    run(fill(session_id, line));
  };

  const wait = (session_id: string, line: Line): void => {
    if (patienceMs === undefined || line.head >= line.latest || line.patient || line.filling) return;
    line.patient = true;
    after(patienceMs, () => {
      line.patient = false;
      fillWhenNeeded(session_id, line);
    });
  };

  return {
    expect: (session_id) => {
      const line = lineOf(session_id);
      commits += 1;
      const commit = commits;
      const expected = (line.expected ?? new Set()).add(commit);
      line.expected = expected;
      return () => {
        expected.delete(commit);
        wait(session_id, line);
        fillWhenNeeded(session_id, line);
      };
    },
    offer: (session_id, events) => {
      const line = lineOf(session_id);
      take(line, events);
      wait(session_id, line);
      fillWhenNeeded(session_id, line);
    },
    reach: (session_id, sequence) => {
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
    head: (session_id) => lineOf(session_id).head,
    headId: (session_id) => lines.get(session_id)?.headId,
    heads: () => new Map([...heads, ...[...lines].map(([id, line]) => [id, line.head] as const)]),
    begin: (session_id) => {
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
