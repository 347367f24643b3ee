import type { LedgerReads } from '../ledger.ts';
import type { LedgerError } from '../ledger-error.ts';
import type { CommitResult } from '../writes.ts';
import { applyWrite } from './apply-write.ts';
import { createWriter, type Writer } from './chains.ts';
import { type Checkpointer, createCheckpointer } from './checkpointer.ts';
import {
  type Connect,
  type DatabaseOptions,
  markClosed,
  markOpen,
  type OpenDatabase,
  openDatabase,
} from './database.ts';
import { type HighWaterMark, openMark } from './high-water-mark.ts';
import { lockLedger } from './ledger-folder.ts';
import type { PackableWrite } from './packed-write.ts';
import { createReads } from './reads.ts';
import { Refused } from './refused.ts';
import { ledgerError } from './sqlite-error.ts';
import { returnPages, rewriteForVacuum } from './vacuum.ts';

/** Transactions per checkpoint: a page that changes with each of them is moved once. */
const CHECKPOINT_EVERY = 2_000;
/** WAL cost of a commit itself, in transactions. */
const COMMIT_ITSELF = 8;

export type Transaction = readonly PackableWrite[];

/** The ledger on the disk thread: every call blocks until it is done. */
export class SqliteStore {
  readonly epoch: string;
  readonly reads: LedgerReads;
  #open: OpenDatabase;
  readonly #writer: Writer;
  readonly #mark: HighWaterMark;
  readonly #lock: { readonly close: () => void };
  readonly #checkpointer: Checkpointer;
  #commits: number;
  /** Transactions that may be only in the WAL. */
  #uncheckpointed = 0;
  /** False until the first commit, which checkpoints the WAL that a crash may have left. */
  #hasCheckpointed = false;
  #closed = false;

  constructor(
    options: DatabaseOptions,
    connect?: Connect,
    onRewrite: Parameters<typeof rewriteForVacuum>[2] = () => {},
  ) {
    this.#lock = lockLedger(options.path);
    try {
      this.#open = openDatabase(options, connect);
    } catch (error) {
      this.#lock.close();
      throw ledgerError(error);
    }
    try {
      this.#mark = openMark(options.path, this.#open);
      if (rewriteForVacuum(this.#open.database, options.path, onRewrite))
        this.#open = openDatabase(options, connect);
      markOpen(this.#open);
    } catch (error) {
      if (this.#open.database.isOpen) this.#open.database.close();
      this.#lock.close();
      throw ledgerError(error);
    }
    const { epoch, commits, sql } = this.#open;
    this.epoch = epoch;
    this.#commits = commits;
    this.#checkpointer = createCheckpointer(options.path);
    this.reads = createReads(sql);
    this.#writer = createWriter(sql);
  }

  /**
   * One sync for the group. A group that cannot commit together is retried one by one, so none fails for
   * another.
   */
  commitGroup(group: readonly Transaction[]): readonly (CommitResult | LedgerError)[] {
    try {
      return this.#commit(group, applyUnguarded) ?? this.#commit(group, applyGuarded) ?? [];
    } catch (error) {
      if (group.length === 1) return [ledgerError(error)];
      return group.flatMap((transaction) => this.commitGroup([transaction]));
    }
  }

  /**
   * Starts a checkpoint once the WAL is long enough. Runs between two commits, so senders wait for the rest
   * that is done here.
   */
  checkpointIfDue(): void {
    if (!this.#hasCheckpointed || this.#checkpointer.isThrough()) this.#checkpoint();
    else if (this.#uncheckpointed >= CHECKPOINT_EVERY) {
      this.#uncheckpointed = 0;
      if (!this.#checkpointer.begin()) this.#checkpoint();
    }
  }

  /** True when there is more to return. */
  returnSpace(): boolean {
    const hasMore = returnPages(this.#open.database, this.#open.sql);
    this.#uncheckpointed += COMMIT_ITSELF;
    // The file shrinks when its WAL has moved.
    if (!hasMore) this.#checkpoint();
    return hasMore;
  }

  #checkpoint(): void {
    this.#hasCheckpointed = true;
    try {
      this.#open.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Committed pages are safe in the WAL. A failing disk is reported by the next commit.
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#checkpointer.close();
    markClosed(this.#open);
    this.#open.database.close();
    this.#mark.close();
    this.#lock.close();
  }

  /** Undefined when one transaction must be undone without the others; then nothing was done. */
  #commit(group: readonly Transaction[], apply: Apply): readonly CommitResult[] | undefined {
    const { database } = this.#open;
    const writer = this.#writer;
    if (database.isTransaction) this.#rollBack();
    database.exec('BEGIN IMMEDIATE');
    try {
      const outcomes: CommitResult[] = [];
      for (const transaction of group) {
        const outcome = apply(writer, transaction);
        if (outcome === undefined) {
          this.#rollBack();
          return undefined;
        }
        outcomes.push(outcome);
      }
      if (!outcomes.some(({ committed }) => committed)) {
        this.#rollBack();
        return outcomes;
      }
      writer.chains.flush();
      writer.run('UPDATE birth SET commits = ?', this.#commits + 1);
      database.exec('COMMIT');
      this.#commits += 1;
      this.#uncheckpointed += COMMIT_ITSELF + group.length;
      this.#mark.raise(this.#commits);
      return outcomes;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /**
   * After some errors SQLite has rolled back itself (https://sqlite.org/lang_transaction.html), or could not.
   */
  #rollBack(): void {
    const { database } = this.#open;
    this.#writer.chains.forget();
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

type Apply = (sql: Writer, transaction: Transaction) => CommitResult | undefined;

/**
 * Without a savepoint, which makes SQLite copy each changed page. A write checks before it changes anything,
 * so a transaction whose first write is refused has nothing to undo.
 */
function applyUnguarded(sql: Writer, transaction: Transaction): CommitResult | undefined {
  const outcome = applyAll(sql, transaction);
  return outcome.committed || outcome.at === 0 ? outcome : undefined;
}

function applyGuarded(sql: Writer, transaction: Transaction): CommitResult {
  sql.run('SAVEPOINT one');
  const outcome = applyAll(sql, transaction);
  if (outcome.committed) sql.chains.flush();
  else {
    sql.run('ROLLBACK TO one');
    sql.chains.forget();
  }
  sql.run('RELEASE one');
  return outcome;
}

function applyAll(sql: Writer, transaction: Transaction): CommitResult {
  const results: (object | null)[] = [];
  try {
    for (const write of transaction) results.push(applyWrite(sql, write));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { committed: false, at: results.length, refusal: error.refusal };
  }
  return { committed: true, results: trustResults(results) };
}

/** `applyWrite` answers by the write's kind; the type cannot express that the order is the same. */
function trustResults(results: readonly (object | null)[]) {
  return results as readonly null[];
}
