import { retry } from '@drawbridge/base';
import { systemClock } from '@drawbridge/link';
import { backUpDatabase } from '../copy/backup.ts';
import type { Ledger } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import { eventOf } from '../rows/record-rows.ts';
import { text } from '../rows/row.ts';
import { removeSession } from '../session-removal.ts';
import type { CommitResult, ResultsOf, Write } from '../writes.ts';
import { createCommitConnection } from './commit-connection.ts';
import { createCommitShards } from './commit-shards.ts';
import { LEASE_QUERIES, type Lease, type LedgerNode, leaseOf, nodeOf } from './lease.ts';
import { prepareDatabase } from './opening.ts';
import { packTransaction } from './packed-transaction.ts';
import { isTransient, ledgerError } from './postgres-error.ts';
import { QUERIES } from './queries.ts';
import { createReads, type Look } from './reads.ts';
import { createSpaceReturn } from './space.ts';
import { verifyDatabase } from './verification.ts';
import { openWire, sessionName, type WireOptions } from './wire.ts';

export interface PostgresLedgerOptions {
  /** `postgres://user:password@host:port/database`; the ledger is in its schema `drawbridge`. */
  readonly url: string;
  /** The node that opens it. */
  readonly node_id?: string;
  /** Connections that commit, each with one batch under way. */
  readonly shards?: number;
  /** Connections that read. */
  readonly readers?: number;
  readonly connectWithinMs?: number;
  /** Timeout of a statement. */
  readonly answerWithinMs?: number;
  /** How long a commit or a read waits for an unreachable or busy database before it is rejected. */
  readonly timeoutMs?: number;
  readonly maxGroup?: number;
  readonly maxWaiting?: number;
}

export interface PostgresLedger extends Ledger {
  /**
   * The same ledger for the leader of that term: commits are refused as `ledger_fenced` once another term
   * began.
   */
  fenced(term: number): Ledger;
  /**
   * Takes or renews the lease for `ms` by the database's clock, if it is free, expired or ours; returns the
   * current lease.
   */
  holdLease(node: LedgerNode, ms: number): Promise<Lease>;
  releaseLease(node_id: string, term: number): Promise<void>;
  /**
   * Releases another node's lease if it ends within `ms`, unrenewed, and the node has no session in the
   * database any more; true when it did.
   */
  releaseGone(node_id: string, term: number, ms: number): Promise<boolean>;
  /** Nodes that called `holdLease` within their time. */
  nodes(): Promise<readonly LedgerNode[]>;
}

const SHARDS = 2;
const READERS = 4;
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;
const TIMEOUT_MS = 15_000;
const MAX_GROUP = 256;
const MAX_GROUP_CHARS = 4 * 1_048_576;
const MAX_WAITING = 10_000;
const RETRY_MS = 50;

export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<PostgresLedger> {
  const {
    url,
    node_id: name,
    shards: laneCount = SHARDS,
    readers: connections = READERS,
    connectWithinMs = CONNECT_WITHIN_MS,
    answerWithinMs = ANSWER_WITHIN_MS,
    timeoutMs = TIMEOUT_MS,
    maxGroup = MAX_GROUP,
    maxWaiting = MAX_WAITING,
  } = options;
  const now = (): number => performance.now();
  const wireOptions: WireOptions = { url, connections, connectWithinMs, answerWithinMs, name };
  const epoch = await prepareDatabase(wireOptions);
  const reader = openWire(wireOptions);
  const writers = Array.from({ length: laneCount }, () => openWire({ ...wireOptions, connections: 1 }));
  const shards = createCommitShards(
    writers.map((wire) => createCommitConnection(wire, now)),
    { maxGroup, maxGroupChars: MAX_GROUP_CHARS, maxWaiting, timeoutMs, now },
  );

  let closing: Promise<void> | undefined;

  /** Retried, because a read is idempotent. */
  const ask: typeof reader.ask = async (statement, ...values) => {
    if (closing !== undefined) throw closed();
    const until = now() + timeoutMs;
    try {
      return await retry(() => reader.ask(statement, ...values), {
        clock: systemClock,
        waitMs: (error) => (isTransient(error) && now() < until ? RETRY_MS : undefined),
      });
    } catch (error) {
      throw ledgerError(error);
    }
  };

  const look: Look = async (session_id, statement, ...values) => {
    // PostgreSQL's texts hold no NUL, so no row can match.
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return [];
    await shards.idle(session_id);
    return ask(statement, ...values);
  };

  const returnSpace = createSpaceReturn(ask, wireOptions);
  const base = createView(undefined);

  const shut = async (): Promise<void> => {
    await base.close();
    await shards.idle();
    await Promise.all([reader, ...writers].map((wire) => wire.close()));
  };

  return {
    ...base,
    fenced: (term) => createView(term),
    holdLease: async (node, ms) => {
      const [row] = await ask(LEASE_QUERIES.hold, node.node_id, node.url, ms);
      if (row === undefined) throw new LedgerError('ledger_damaged', 'The ledger has no lease.');
      return leaseOf(row, node.node_id);
    },
    releaseLease: async (node_id, term) => void (await ask(LEASE_QUERIES.release, node_id, term)),
    releaseGone: async (node_id, term, ms) =>
      (await ask(LEASE_QUERIES.releaseGone, node_id, term, ms, sessionName(node_id))).length > 0,
    nodes: async () => (await ask(LEASE_QUERIES.nodes)).map(nodeOf),
    close: () => {
      closing ??= shut();
      return closing;
    },
  };

  /** A view of the ledger: closing it ends only that view. */
  function createView(term: number | undefined): Ledger {
    let isClosed = false;
    const whileOpen = (): void => {
      if (isClosed) throw closed();
    };
    const reads = createReads(async (...args) => {
      whileOpen();
      return look(...args);
    });

    const commit = async <const Writes extends readonly Write[]>(
      writes: Writes,
    ): Promise<CommitResult<Writes>> => {
      whileOpen();
      const outcome = await shards.add(packTransaction(writes, term));
      return outcome.committed
        ? { committed: true, results: trustResults<ResultsOf<Writes>>(outcome.results) }
        : outcome;
    };

    return {
      ...reads,
      epoch,
      commit,
      deleteSession: (session_id) => removeSession({ commit }, session_id),
      verify: async () => {
        whileOpen();
        await shards.idle();
        return verifyDatabase(reader.client()).catch((error: unknown) => {
          throw ledgerError(error);
        });
      },
      search: async ({ words, limit, session_ids }) => {
        whileOpen();
        await shards.idle();
        const query = words.map((word) => `(${casesOf(word).join(' | ')})`).join(' & ');
        const only = session_ids === undefined ? null : JSON.stringify(session_ids);
        const rows = await ask(QUERIES.search, query, only, limit);
        return { hits: rows.map((row) => eventOf(text(row, 'session_id'), row)), isComplete: true };
      },
      returnSpace: async () => {
        whileOpen();
        return returnSpace();
      },
      backup: async (path) => {
        whileOpen();
        await backUpDatabase(url, path).catch((error: unknown) => {
          throw ledgerError(error);
        });
      },
      close: async () => {
        isClosed = true;
        await shards.idle();
      },
    };
  }
}

/** Words as `search_words` stores them, whatever letters the database's locale can lower. */
function casesOf(word: string): readonly string[] {
  const [first = ''] = word;
  const cases = [word, word.toUpperCase(), first.toUpperCase() + word.slice(first.length)];
  const stored = cases.map((each) => each.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()));
  return [...new Set(stored)].map((each) => `'${each}':*`);
}

const closed = () => new LedgerError('ledger_closed', 'The ledger is closed. Open it again.');

/** The type cannot express that results are in the order of the writes. */
function trustResults<Results>(results: unknown): Results {
  return results as Results;
}
