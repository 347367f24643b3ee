import type {
  AuditRecord,
  DeviceRecord,
  EventPage,
  EventRecord,
  FileRecord,
  Json,
  LaunchRecord,
  MessageRecord,
  PromptRecord,
  SessionHead,
  SessionRecord,
  SettingRecord,
  TabSessionRecord,
  TaskRecord,
  WaitingMessage,
} from './records.ts';
import type { CommitResult, Write } from './writes.ts';

/** Reads of a ledger. Each touches as many rows as it returns, however many there are. */
export interface LedgerReads {
  session(session_id: string): SessionRecord | undefined;
  /** Sessions that are not closed. */
  liveSessions(): readonly SessionRecord[];
  /** Heads of every session, also of closed ones. */
  heads(): readonly SessionHead[];
  /** The oldest `limit` events after `sequence`, in order; undefined for a session that is not known. */
  eventsAfter(session_id: string, sequence: number, limit: number, maxChars?: number): EventPage | undefined;
  /** The newest `limit` events before `sequence`, in order. */
  eventsBefore(session_id: string, sequence: number, limit: number): EventPage | undefined;
  /** The newest `limit` events before `sequence` that say or change a message (CHT-177), in order. */
  transcriptBefore(
    session_id: string,
    sequence: number,
    limit: number,
    maxChars?: number,
  ): EventPage | undefined;
  /** The current version of a message (CHT-164). */
  latestOfMessage(session_id: string, message_id: string): EventRecord | undefined;
  /** Messages of the transcript; reads every event of the session. */
  countMessages(session_id: string): number;
  message(session_id: string, client_message_id: string): MessageRecord | undefined;
  /** Accepted sends of a proxy's sessions without an outcome, in the order of acceptance. */
  queuedMessages(proxy_device_id: string): readonly WaitingMessage[];
  /** Accepted sends with an expiry up to `now`, the earliest first. */
  expiredMessages(now: number, limit: number): readonly WaitingMessage[];
  /** The latest prompt of that id. */
  prompt(session_id: string, prompt_id: string): PromptRecord | undefined;
  openPrompts(): readonly PromptRecord[];
  /** Prompts whose answer the proxy has not confirmed. */
  answeringPrompts(): readonly PromptRecord[];
  pendingLaunches(): readonly LaunchRecord[];
  /** Outcomes that the device has not received yet. */
  unreportedLaunches(device_id: string): readonly LaunchRecord[];
  device(device_id: string): DeviceRecord | undefined;
  deviceByToken(token_hash: string): DeviceRecord | undefined;
  devices(): readonly DeviceRecord[];
  file(file_id: string): FileRecord | undefined;
  filesOf(session_id: string): readonly FileRecord[];
  /** True when any file has this content. */
  hasContent(sha256: string): boolean;
  /** The newest `limit` entries before `number`, the newest first. */
  auditBefore(number: number, limit: number): readonly AuditRecord[];
  setting(key: string): Json | undefined;
  /** Settings whose key begins with `prefix`, in the order of their keys. */
  settingsUnder(prefix: string): readonly SettingRecord[];
  task(task_id: string): TaskRecord | undefined;
  /** Tasks without an end, the oldest first. */
  openTasks(): readonly TaskRecord[];
  /** The newest `limit` tasks created before that task, or of all of them; the newest first. */
  tasksBefore(task_id: string | null, limit: number): readonly TaskRecord[];
  tabSession(session_id: string): TabSessionRecord | undefined;
  /** The tab session used last, of this device and on this domain where given. */
  latestTabSession(by: { device_id?: string; domain?: string }): TabSessionRecord | undefined;
  /** The newest `limit` tab sessions of a device, the one used last first. */
  tabSessionsOf(device_id: string, limit: number): readonly TabSessionRecord[];
}

type Asynchronous<Reads> = {
  readonly [Name in keyof Reads]: Reads[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Answer>
    : never;
};

export interface LedgerDamage {
  /** The row, table or file, as exactly as known. */
  readonly where: string;
  readonly session_id?: string;
  readonly sequence?: number;
  readonly problem: string;
}

export interface LedgerReport {
  readonly sessions: number;
  readonly events: number;
  /** The first damaged row; absent when the ledger is whole. */
  readonly damage?: LedgerDamage;
}

export interface SearchQuery {
  /** From `wordsOf`; each must begin a word of the message. */
  readonly words: readonly string[];
  readonly limit: number;
  /** Only these sessions; omitted for all. */
  readonly session_ids?: readonly string[] | undefined;
}

export interface SearchResult {
  /** The newest first, each message in its latest version. */
  readonly hits: readonly EventRecord[];
  /** False while messages are still being indexed: search again. */
  readonly isComplete: boolean;
}

/**
 * The durable store, and the one order of events. A transaction is a list of writes as data, not a function
 * over a connection: the core is pure and only describes writes; a list crosses to the disk thread in one
 * message; waiting transactions share one sync; and a database server needs one round trip instead of an open
 * connection between steps. Decisions in between (is this send new? is this prompt still open?) are
 * conditions of a write.
 */
export interface Ledger extends Asynchronous<LedgerReads> {
  /** The ledger's birth id: a cursor of another ledger is not valid here. */
  readonly epoch: string;
  /**
   * Commits all writes or none. Resolves after the commit was synced to disk, or with its refusal; rejects
   * with a `LedgerError` when the store failed.
   */
  commit<const Writes extends readonly Write[]>(writes: Writes): Promise<CommitResult<Writes>>;
  /** Deletes a session and all its rows, in small steps; false when there was none. */
  deleteSession(session_id: string): Promise<boolean>;
  /** Finds messages of transcripts by their words. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Returns some of the space of deleted rows to the file system; true when there may be more. */
  returnSpace(): Promise<boolean>;
  /** Checks every hash chain and the store's own structure. */
  verify(): Promise<LedgerReport>;
  /**
   * Copies the ledger to a new file, under load. The copy gets a new epoch: our cursors are not valid there.
   */
  backup(path: string): Promise<void>;
  /** Waits for pending commits; later calls fail with `ledger_closed`. */
  close(): Promise<void>;
}
