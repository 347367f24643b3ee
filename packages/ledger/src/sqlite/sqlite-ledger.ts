import { existsSync } from 'node:fs';
import { createMutex } from '@drawbridge/base';
import type { Ledger, LedgerReads, LedgerReport, SearchQuery, SearchResult } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import { removeSession } from '../session-removal.ts';
import type { CommitResult, Write } from '../writes.ts';
import { createCommitQueue } from './commit-queue.ts';
import { packWrites } from './packed-write.ts';
import { searchFile } from './search-index.ts';
import { openStorePort, type RewriteProgress, runThread } from './store-port.ts';
import type { GroupAnswer } from './thread.ts';

export interface SqliteLedgerOptions {
  /** The ledger's file; its folder is created if missing. */
  readonly path: string;
  readonly maxBytes?: number;
  readonly maxGroup?: number;
  readonly maxWaiting?: number;
  /** Called during the one-time rewrite of a file from an older version, every few seconds. */
  readonly onRewrite?: (progress: RewriteProgress) => void;
  /** Begins a new epoch, for a ledger that is `ledger_behind` and must continue without its lost commits. */
  readonly newEpoch?: boolean;
}

const MAX_BYTES = 64 * 1_073_741_824;
/** A larger commit is hardly cheaper per transaction, and the next caller waits for all of it. */
const MAX_GROUP = 128;
const MAX_WAITING = 10_000;
const SEARCH_THREAD = new URL('./search-thread.ts', import.meta.url);
const COPY_THREAD = new URL('./copy-thread.ts', import.meta.url);

export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<Ledger> {
  const {
    path,
    maxBytes = MAX_BYTES,
    maxGroup = MAX_GROUP,
    maxWaiting = MAX_WAITING,
    newEpoch = false,
    onRewrite,
  } = options;
  const port = await openStorePort({ path, maxBytes, newEpoch }, onRewrite);
  const queue = createCommitQueue((group) => port.ask<GroupAnswer>({ do: 'commit', group }), {
    maxGroup,
    maxWaiting,
  });
  let closing: Promise<void> | undefined;

  const whileOpen = (): void => {
    if (closing !== undefined) throw new LedgerError('ledger_closed', 'The ledger is closed. Open it again.');
  };

  const read = async <Name extends keyof LedgerReads>(
    name: Name,
    args: Parameters<LedgerReads[Name]>,
  ): Promise<ReturnType<LedgerReads[Name]>> => {
    whileOpen();
    queue.flushNow();
    return port.ask<Awaited<ReturnType<LedgerReads[Name]>>>({ do: 'read', name, args });
  };

  const commit = async <const Writes extends readonly Write[]>(
    writes: Writes,
  ): Promise<CommitResult<Writes>> => {
    whileOpen();
    refuseUnstorable(writes);
    return queue.add<Writes>(packWrites(writes));
  };

  /** One at a time: each brings the index up to date. */
  const searchAlone = createMutex();
  const search = (query?: SearchQuery): Promise<SearchResult> => {
    whileOpen();
    return searchAlone(async () =>
      trustAnswer<SearchResult>(await runThread(SEARCH_THREAD, { path, query })),
    );
  };
  /** Deleted text must not stay in the index until the next search. */
  const forgetDeleted = async (): Promise<void> => {
    if (existsSync(searchFile(path))) await search();
  };

  const shut = async (): Promise<void> => {
    await queue.idle();
    await searchAlone(async () => {});
    await port.ask({ do: 'close' });
  };

  return {
    epoch: port.epoch,
    commit,
    deleteSession: async (session_id) => {
      const isDeleted = await removeSession({ commit }, session_id);
      if (isDeleted) await forgetDeleted();
      return isDeleted;
    },
    search,
    returnSpace: async () => {
      whileOpen();
      const hasMore = await port.ask<boolean>({ do: 'return_space' });
      if (!hasMore) await forgetDeleted();
      return hasMore;
    },
    verify: async () => {
      whileOpen();
      return trustAnswer<LedgerReport>(await runThread(COPY_THREAD, { path }));
    },
    backup: async (to) => {
      whileOpen();
      await runThread(COPY_THREAD, { path, to });
    },
    close: () => {
      closing ??= shut();
      return closing;
    },
    session: (...args) => read('session', args),
    liveSessions: (...args) => read('liveSessions', args),
    heads: (...args) => read('heads', args),
    eventsAfter: (...args) => read('eventsAfter', args),
    eventsBefore: (...args) => read('eventsBefore', args),
    transcriptBefore: (...args) => read('transcriptBefore', args),
    latestOfMessage: (...args) => read('latestOfMessage', args),
    countMessages: (...args) => read('countMessages', args),
    message: (...args) => read('message', args),
    queuedMessages: (...args) => read('queuedMessages', args),
    expiredMessages: (...args) => read('expiredMessages', args),
    prompt: (...args) => read('prompt', args),
    openPrompts: (...args) => read('openPrompts', args),
    answeringPrompts: (...args) => read('answeringPrompts', args),
    pendingLaunches: (...args) => read('pendingLaunches', args),
    unreportedLaunches: (...args) => read('unreportedLaunches', args),
    device: (...args) => read('device', args),
    deviceByToken: (...args) => read('deviceByToken', args),
    devices: (...args) => read('devices', args),
    file: (...args) => read('file', args),
    filesOf: (...args) => read('filesOf', args),
    hasContent: (...args) => read('hasContent', args),
    auditBefore: (...args) => read('auditBefore', args),
    setting: (...args) => read('setting', args),
    task: (...args) => read('task', args),
    openTasks: (...args) => read('openTasks', args),
    tasksBefore: (...args) => read('tasksBefore', args),
    tabSession: (...args) => read('tabSession', args),
    latestTabSession: (...args) => read('latestTabSession', args),
    settingsUnder: (...args) => read('settingsUnder', args),
    tabSessionsOf: (...args) => read('tabSessionsOf', args),
  };
}

/** Answer of another thread: only its type is lost on the way. */
function trustAnswer<Answer>(value: unknown): Answer {
  return value as Answer;
}

/** A lone surrogate changes in UTF-8, so two ids could become the same; NUL ends a text elsewhere. */
function refuseUnstorable(writes: readonly Write[]): void {
  for (const write of writes) {
    for (const [field, value] of Object.entries(write)) {
      if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) continue;
      throw new LedgerError('ledger_invalid', `${write.do}.${field} is not a text that can be stored.`);
    }
  }
}
