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
  TabSessionRecord,
  TaskRecord,
  WaitingMessage,
} from './records.ts';
import type { Outcome, Write } from './writes.ts';

/** What can be asked. Each read touches as many rows as it returns, however many there are. */
export interface LedgerReads {
  session(session_id: string): SessionRecord | undefined;
  /** Sessions that are not closed. */
  liveSessions(): readonly SessionRecord[];
  /** Of every session, closed ones too. */
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
  /** What a message says now (CHT-164). */
  latestOfMessage(session_id: string, message_id: string): EventRecord | undefined;
  message(session_id: string, client_message_id: string): MessageRecord | undefined;
  /** Accepted sends of a proxy's sessions that have no outcome, in the order of their acceptance. */
  queuedMessages(proxy_device_id: string): readonly WaitingMessage[];
  /** Accepted sends with an expiry up to `now`, the earliest first. */
  expiredMessages(now: number, limit: number): readonly WaitingMessage[];
  /** The latest prompt of that id. */
  prompt(session_id: string, prompt_id: string): PromptRecord | undefined;
  openPrompts(): readonly PromptRecord[];
  /** Prompts whose answer the proxy has not confirmed. */
  answeringPrompts(): readonly PromptRecord[];
  pendingLaunches(): readonly LaunchRecord[];
  /** Outcomes that the device has not been told yet. */
  untoldLaunches(device_id: string): readonly LaunchRecord[];
  device(device_id: string): DeviceRecord | undefined;
  deviceByToken(token_hash: string): DeviceRecord | undefined;
  devices(): readonly DeviceRecord[];
  file(file_id: string): FileRecord | undefined;
  filesOf(session_id: string): readonly FileRecord[];
  /** Whether any file has this content. */
  hasContent(sha256: string): boolean;
  /** The newest `limit` entries before `number`, the newest first. */
  auditBefore(number: number, limit: number): readonly AuditRecord[];
  setting(key: string): Json | undefined;
  task(task_id: string): TaskRecord | undefined;
  /** Tasks without an end, the oldest first. */
  openTasks(): readonly TaskRecord[];
  /** The newest `limit` tasks created before that task, or of all of them; the newest first. */
  tasksBefore(task_id: string | null, limit: number): readonly TaskRecord[];
  tabSession(session_id: string): TabSessionRecord | undefined;
  /** The tab session that was used last, of this device and on this domain where one is named. */
  latestTabSession(by: { device_id?: string; domain?: string }): TabSessionRecord | undefined;
}

type Asynchronous<Reads> = {
  readonly [Name in keyof Reads]: Reads[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Answer>
    : never;
};

export interface LedgerDamage {
  /** Which row, table or file, as well as it can be told. */
  readonly where: string;
  readonly session_id?: string;
  readonly sequence?: number;
  readonly problem: string;
}

export interface LedgerReport {
  readonly sessions: number;
  readonly events: number;
  /** The first row that is not as it was written; absent when the ledger is whole. */
  readonly damage?: LedgerDamage;
}

/**
 * The durable store, and the one order of things.
 *
 * A transaction is a list of writes given as data, not a function over a connection: the relay's core is
 * pure and can only name what it wants; a list crosses to the thread that does the disk's work in one
 * message; transactions that wait at the same moment share one sync; and it is one round trip to a
 * database server, where a function would hold a connection open between its steps. What a function
 * would decide in between (is this send new? is this prompt still open?) is a condition of a write.
 */
export interface Ledger extends Asynchronous<LedgerReads> {
  /** The ledger's birth id: cursors of another one mean nothing here. */
  readonly epoch: string;
  /**
   * All of the writes or none. It resolves after the commit was synced to disk, or with what refused it;
   * it rejects with a `LedgerError` when the store could not take it.
   */
  commit<const Writes extends readonly Write[]>(writes: Writes): Promise<Outcome<Writes>>;
  /** Deletes a session and all that belongs to it, in small steps; false when there was none. */
  deleteSession(session_id: string): Promise<boolean>;
  /** Walks every hash chain and the store's own structure. */
  verify(): Promise<LedgerReport>;
  /** Copies the ledger, under load, to a new file. The copy has an epoch of its own: its cursors are not ours. */
  backup(path: string): Promise<void>;
  /** Waits for what was given to `commit`; later calls fail with `ledger_closed`. */
  close(): Promise<void>;
}
