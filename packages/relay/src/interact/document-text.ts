import { Worker } from 'node:worker_threads';
import { workerEnvironment } from '@drawbridge/protocol';
import type { CoreClock } from '../core/ports.ts';
import { InteractError } from './interact-error.ts';
import { invalid } from './interact-refusal.ts';

/** INT-333: the text of a document; throws when it has none, or cannot be read in time. */
export type ReadDocument = (type: string, bytes: Uint8Array) => Promise<string>;

/** Kinds of documents by their file ending. */
export const DOCUMENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
]);

const THREAD = new URL('./document-thread.ts', import.meta.url);
const MOST_MS = 20_000;
const MOST_AT_ONCE = 2;

export function createDocumentReader(clock: Pick<CoreClock, 'after'>): ReadDocument {
  let running = 0;
  return async (type, bytes) => {
    if (running >= MOST_AT_ONCE) throw BUSY;
    running += 1;
    const worker = new Worker(THREAD, {
      argv: [],
      env: workerEnvironment(process.env),
      execArgv: [],
      workerData: { type, bytes },
      resourceLimits: LIMITS,
      // A library's warnings about a document are no log of the relay.
      stdout: true,
      stderr: true,
    });
    const cancel = clock.after(MOST_MS, () => void worker.terminate());
    try {
      const text = await new Promise<string>((resolve) => {
        worker.once('message', (read: unknown) => resolve(typeof read === 'string' ? read : ''));
        worker.once('error', () => resolve(''));
        worker.once('exit', () => resolve(''));
      });
      if (text.trim() === '') throw invalid('file', NO_TEXT);
      return text;
    } finally {
      cancel();
      running -= 1;
      void worker.terminate();
    }
  };
}

const LIMITS = { maxOldGenerationSizeMb: 256 };
const NO_TEXT = 'The relay finds no text in that document. Send its text, or one without a password.';
const BUSY = new InteractError('unavailable', 'The relay reads other documents now. Send it again.');
