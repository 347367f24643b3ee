import { eventHash } from '../event-hash.ts';
import type { Ledger, LedgerReads, LedgerReport, SearchQuery } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import type { EventRecord } from '../records.ts';
import { hasWords } from '../search-words.ts';
import { Refused } from '../sqlite/refused.ts';
import type { CommitResult, ResultsOf, Write } from '../writes.ts';
import { applyWrite } from './apply-write.ts';
import { createReads } from './reads.ts';
import { createTables, type Tables } from './tables.ts';

export type Transaction = readonly Write[];

/** Synced transactions in order: all that survives the process. */
export interface MemoryDisk {
  readonly epoch: string;
  readonly synced: Transaction[];
}

/** Behaviour of the disk; by default immediate and without faults. */
export interface DiskBehaviour {
  /** Runs the work when the disk gets to it, in order. Never after a crash. */
  readonly schedule?: (work: () => void) => void;
  /** Error of the next commit. */
  readonly fault?: () => 'ledger_full' | 'ledger_io' | undefined;
  /** Called for each transaction when it is synced. */
  readonly onSync?: (transaction: Transaction) => void;
  /** True for a drive that reports a sync before it is done: a relay on it loses accepted sends. */
  readonly lies?: boolean;
}

interface Waiting {
  readonly transaction: Transaction;
  readonly answer: (outcome: CommitResult | LedgerError) => void;
}

/** A ledger for simulations: the same answers as SQLite's, on a controlled disk. */
export function openMemoryLedger(disk: MemoryDisk, behaviour: DiskBehaviour = {}): Ledger {
  const { schedule = queueMicrotask, fault = () => undefined, onSync = () => {}, lies = false } = behaviour;
  const tables = createTables();
  for (const transaction of disk.synced) applyTransaction(tables, transaction);
  const reads = createReads(tables);
  let waiting: Waiting[] = [];
  let running = false;
  const idle: (() => void)[] = [];
  let closing: Promise<void> | undefined;

  const whileOpen = (): void => {
    if (closing !== undefined) throw new LedgerError('ledger_closed', 'The ledger is closed. Open it again.');
  };

  const sync = (transaction: Transaction): void => {
    disk.synced.push(transaction);
    onSync(transaction);
  };

  /** CHT-139: transactions that come during a commit share the next one. */
  const commitGroup = (): void => {
    const group = waiting;
    waiting = [];
    const answers = group.map(({ transaction, answer }) => {
      const code = fault();
      if (code !== undefined) {
        return () => answer(new LedgerError(code, 'The disk failed. Make room and try again.'));
      }
      const outcome = applyTransaction(tables, transaction);
      if (outcome.committed && !lies) sync(transaction);
      return () => {
        answer(outcome);
        if (outcome.committed && lies) schedule(() => sync(transaction));
      };
    });
    schedule(() => {
      for (const answer of answers) answer();
      running = waiting.length > 0;
      if (running) schedule(commitGroup);
      else for (const tell of idle.splice(0)) tell();
    });
  };

  const commit = async <const Writes extends readonly Write[]>(
    writes: Writes,
  ): Promise<CommitResult<Writes>> => {
    whileOpen();
    refuseUnstorable(writes);
    const transaction = stored(writes);
    const outcome = await new Promise<CommitResult | LedgerError>((answer) => {
      waiting.push({ transaction, answer });
      if (running) return;
      running = true;
      schedule(commitGroup);
    });
    if (outcome instanceof LedgerError) throw outcome;
    return outcome.committed
      ? { committed: true, results: trustResults<ResultsOf<Writes>>(outcome.results) }
      : outcome;
  };

  /** Like a separate thread: reads see everything asked before, and are answered in order. */
  const read = <Answer>(look: (reads: LedgerReads) => Answer): Promise<Answer> =>
    new Promise((resolve) => {
      whileOpen();
      schedule(() => {
        const answer = look(reads);
        schedule(() => resolve(answer));
      });
    });

  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      if (running) idle.push(resolve);
      else schedule(resolve);
    });

  return {
    epoch: disk.epoch,
    commit,
    deleteSession: async (session_id) => {
      const through = Number.MAX_SAFE_INTEGER;
      await commit([{ do: 'prune_events', session_id, through, limit: through }]);
      return (await commit([{ do: 'drop_session', session_id }])).committed;
    },
    verify: () => read(() => report(tables)),
    search: (query) => read((from) => ({ hits: searchTranscripts(from, query), isComplete: true })),
    returnSpace: async () => false,
    backup: async () => {
      throw new LedgerError('ledger_invalid', 'This ledger is in memory and has no file to copy.');
    },
    close: () => {
      closing ??= shut();
      return closing;
    },
    session: (...args) => read((from) => from.session(...args)),
    liveSessions: () => read((from) => from.liveSessions()),
    heads: () => read((from) => from.heads()),
    eventsAfter: (...args) => read((from) => from.eventsAfter(...args)),
    eventsBefore: (...args) => read((from) => from.eventsBefore(...args)),
    transcriptBefore: (...args) => read((from) => from.transcriptBefore(...args)),
    latestOfMessage: (...args) => read((from) => from.latestOfMessage(...args)),
    countMessages: (...args) => read((from) => from.countMessages(...args)),
    message: (...args) => read((from) => from.message(...args)),
    queuedMessages: (...args) => read((from) => from.queuedMessages(...args)),
    expiredMessages: (...args) => read((from) => from.expiredMessages(...args)),
    prompt: (...args) => read((from) => from.prompt(...args)),
    openPrompts: () => read((from) => from.openPrompts()),
    answeringPrompts: () => read((from) => from.answeringPrompts()),
    pendingLaunches: () => read((from) => from.pendingLaunches()),
    unreportedLaunches: (...args) => read((from) => from.unreportedLaunches(...args)),
    device: (...args) => read((from) => from.device(...args)),
    deviceByToken: (...args) => read((from) => from.deviceByToken(...args)),
    devices: () => read((from) => from.devices()),
    file: (...args) => read((from) => from.file(...args)),
    filesOf: (...args) => read((from) => from.filesOf(...args)),
    hasContent: (...args) => read((from) => from.hasContent(...args)),
    auditBefore: (...args) => read((from) => from.auditBefore(...args)),
    setting: (...args) => read((from) => from.setting(...args)),
    task: (...args) => read((from) => from.task(...args)),
    openTasks: () => read((from) => from.openTasks()),
    tasksBefore: (...args) => read((from) => from.tasksBefore(...args)),
    tabSession: (...args) => read((from) => from.tabSession(...args)),
    latestTabSession: (...args) => read((from) => from.latestTabSession(...args)),
    settingsUnder: (...args) => read((from) => from.settingsUnder(...args)),
    tabSessionsOf: (...args) => read((from) => from.tabSessionsOf(...args)),
  };
}

function applyTransaction(tables: Tables, transaction: Transaction): CommitResult {
  tables.undo.length = 0;
  const results: (object | null)[] = [];
  try {
    for (const write of transaction) results.push(applyWrite(tables, write));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    for (const undo of tables.undo.toReversed()) undo();
    return { committed: false, at: results.length, refusal: error.refusal };
  }
  return { committed: true, results: trustResults(results) };
}

/** `applyWrite` answers by the write's kind; the type cannot express that the order is the same. */
function trustResults<Results>(results: unknown): Results {
  return results as Results;
}

function report({ sessions }: Tables): LedgerReport {
  let count = 0;
  for (const { record, events, base_hash } of sessions.all()) {
    let prev_hash = base_hash;
    for (const [index, event] of events.entries()) {
      const { session_id, sequence, payload, payload_text, hash } = event;
      const text = payload_text ?? JSON.stringify(payload);
      const whole = eventHash(prev_hash, { ...event, payload: text }) === hash;
      if (!whole || sequence !== record.oldest + index) {
        const damage = {
          where: 'events',
          session_id,
          sequence,
          problem: 'does not follow the one before it',
        };
        return { sessions: sessions.all().length, events: count, damage };
      }
      prev_hash = hash;
      count += 1;
    }
  }
  return { sessions: sessions.all().length, events: count };
}

/** A copy by JSON: without undefined fields, and unaffected by later changes of the caller. */
function stored<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

function refuseUnstorable(writes: readonly Write[]): void {
  for (const write of writes) {
    for (const [field, value] of Object.entries(write)) {
      if (typeof value !== 'string' || !/\0|\p{Surrogate}/u.test(value)) continue;
      throw new LedgerError('ledger_invalid', `${write.do}.${field} is not a text that can be stored.`);
    }
  }
}

function searchTranscripts(from: LedgerReads, { words, limit, session_ids }: SearchQuery): EventRecord[] {
  const found = from
    .heads()
    .filter(({ session_id }) => session_ids?.includes(session_id) ?? true)
    .flatMap(({ session_id, head }) => from.transcriptBefore(session_id, head + 1, head)?.events ?? [])
    .filter(
      ({ session_id, message_id, sequence }) =>
        from.latestOfMessage(session_id, message_id ?? '')?.sequence === sequence,
    )
    .filter(({ payload: { message } }) => hasWords(JSON.stringify(message), words));
  return found.toSorted((a, b) => b.at - a.at).slice(0, Math.max(0, limit));
}
