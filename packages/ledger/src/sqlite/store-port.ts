import { statSync } from 'node:fs';
import { LedgerError } from '../ledger-error.ts';
import type { DatabaseOptions } from './database.ts';
import { errorOf, type Opening, type Reply, type Request, type Rewriting, startThread } from './thread.ts';

/** Progress of the one-time rewrite, in bytes. */
export interface RewriteProgress {
  readonly done: number;
  readonly bytes: number;
}

const REWRITE_REPORT_MS = 5_000;

interface Pending {
  /** A method, because callers know the types of their answers. */
  resolve(value: unknown): void;
  readonly reject: (error: LedgerError) => void;
}

/** The relay's end of the ledger's thread. */
export async function openStorePort(
  options: DatabaseOptions,
  onRewrite: (progress: RewriteProgress) => void = () => {},
) {
  const worker = startThread(new URL('./store-thread.ts', import.meta.url), options);
  /**
   * Pending requests, the oldest first. Not a Map: V8 keeps each outgrown table of a Map, with everything
   * pending then, until a full collection, and young collections would carry it along.
   */
  const pending: Pending[] = [];
  let ended: LedgerError | undefined;

  let watching: NodeJS.Timeout | undefined;
  /** The thread is busy with one statement, so its draft's size is the progress. */
  const watch = ({ draft, bytes }: Rewriting['rewriting']): void => {
    const report = (): void =>
      onRewrite({ bytes, done: statSync(draft, { throwIfNoEntry: false })?.size ?? 0 });
    report();
    watching = setInterval(report, REWRITE_REPORT_MS);
  };

  const opening = await new Promise<Opening>((resolve, reject) => {
    worker.on('message', (message: Opening | Rewriting) => {
      if ('rewriting' in message) watch(message.rewriting);
      else resolve(message);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(threadEnded()));
  }).finally(() => {
    clearInterval(watching);
    worker.removeAllListeners('message');
  });
  if ('code' in opening) throw errorOf(opening);

  const end = (error: LedgerError): void => {
    ended ??= error;
    for (const { reject } of pending.splice(0)) reject(ended);
  };
  worker.on('error', (cause) => end(threadEnded(cause)));
  worker.on('exit', () => end(threadEnded()));
  worker.on('message', (reply: Reply) => {
    const asked = pending.shift();
    // An idle ledger does not keep a finished program alive.
    if (pending.length === 0) worker.unref();
    if (reply.ok) asked?.resolve(reply.value);
    else asked?.reject(errorOf(reply.failure));
  });
  worker.unref();

  return {
    epoch: opening.epoch,
    /** The caller names the answer's type, which is lost on the way. */
    ask: async <Answer>(request: Request): Promise<Answer> => {
      if (ended !== undefined) throw ended;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      // Throws for a value that cannot be cloned, which is never answered.
      worker.postMessage(request);
      pending.push({ resolve, reject });
      worker.ref();
      return promise;
    },
  };
}

/** Runs one task on a separate thread. */
export async function runThread(entry: URL, data: object): Promise<unknown> {
  const worker = startThread(entry, data);
  const reply = await new Promise<Reply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (cause) => reject(threadEnded(cause)));
    worker.once('exit', () => reject(threadEnded()));
  });
  if (!reply.ok) throw errorOf(reply.failure);
  return reply.value;
}

function threadEnded(cause?: unknown): LedgerError {
  return new LedgerError('ledger_io', "The ledger's thread has ended. Restart the relay.", cause);
}
