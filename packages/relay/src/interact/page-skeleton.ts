import { Worker } from 'node:worker_threads';
import { workerEnvironment } from '@drawbridge/protocol';
import type { CoreClock } from '../core/ports.ts';

/**
 * INT-118: makes a skeleton from a whole DOM; undefined for one that is too large, too slow or unreadable.
 */
export type MakeSkeleton = (dom: string) => Promise<string | undefined>;

const THREAD = new URL('./skeleton-thread.ts', import.meta.url);
/** INT-275: a client cuts its DOM here. */
const MOST_CHARS = 200_000;
const MOST_MS = 10_000;
const MOST_AT_ONCE = 2;

export function createSkeletonMaker(clock: Pick<CoreClock, 'after'>): MakeSkeleton {
  let running = 0;
  return async (dom) => {
    if (dom.length > MOST_CHARS || running >= MOST_AT_ONCE) return undefined;
    running += 1;
    const worker = new Worker(THREAD, {
      argv: [],
      env: workerEnvironment(process.env),
      execArgv: [],
      workerData: dom,
      resourceLimits: LIMITS,
    });
    const cancel = clock.after(MOST_MS, () => void worker.terminate());
    try {
      return await new Promise<string | undefined>((resolve) => {
        worker.once('message', (made: unknown) => resolve(typeof made === 'string' ? made : undefined));
        worker.once('error', () => resolve(undefined));
        worker.once('exit', () => resolve(undefined));
      });
    } finally {
      cancel();
      running -= 1;
      void worker.terminate();
    }
  };
}

const LIMITS = { maxOldGenerationSizeMb: 256 };
