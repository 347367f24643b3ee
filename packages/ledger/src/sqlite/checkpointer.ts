import { startThread } from './thread.ts';

/** States in the memory cell shared with the thread: each side sees a change at once, even while busy. */
export const CHECKPOINTER = { rests: 0, moves: 1, hasMoved: 2, leaves: 3, isGone: 4 } as const;

/**
 * Checkpointer: moves the WAL into the ledger's file on a separate thread, so that no commit waits for those
 * syncs.
 */
export type Checkpointer = ReturnType<typeof createCheckpointer>;

const LONGEST_LEAVE_MS = 10_000;

/** Starts the thread at its first use. */
export function createCheckpointer(path: string) {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let isStarted = false;

  const start = (): void => {
    isStarted = true;
    const thread = startThread(new URL('./checkpoint-thread.ts', import.meta.url), { path, cell });
    const end = (): void => void Atomics.store(cell, 0, CHECKPOINTER.isGone);
    thread.on('error', end);
    thread.on('exit', end);
    thread.unref();
  };

  return {
    /** Starts a checkpoint unless one is under way. False when the thread has ended. */
    begin: (): boolean => {
      if (!isStarted) start();
      if (Atomics.compareExchange(cell, 0, CHECKPOINTER.rests, CHECKPOINTER.moves) === CHECKPOINTER.isGone)
        return false;
      Atomics.notify(cell, 0);
      return true;
    },
    /**
     * True once per checkpoint, when nearly all is moved. The WAL restarts after the rest is moved between two
     * commits.
     */
    isThrough: (): boolean =>
      Atomics.compareExchange(cell, 0, CHECKPOINTER.hasMoved, CHECKPOINTER.rests) === CHECKPOINTER.hasMoved,
    /** Waits until the thread has closed the file. */
    close: (): void => {
      if (!isStarted || Atomics.exchange(cell, 0, CHECKPOINTER.leaves) === CHECKPOINTER.isGone) return;
      Atomics.notify(cell, 0);
      Atomics.wait(cell, 0, CHECKPOINTER.leaves, LONGEST_LEAVE_MS);
    },
  };
}
