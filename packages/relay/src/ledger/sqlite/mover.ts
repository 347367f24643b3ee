import { startThread } from './thread.ts';

/** States in the memory cell shared with the thread: each side sees a change at once, even while busy. */
export const MOVER = { rests: 0, moves: 1, hasMoved: 2, leaves: 3, isGone: 4 } as const;

/**
 * Checkpointer: moves the WAL into the ledger's file on a separate thread, so that no commit waits for those
 * syncs.
 */
export interface Mover {
  /** Starts a checkpoint unless one is under way. False when the thread has ended. */
  readonly begin: () => boolean;
  /**
   * True once per checkpoint, when nearly all is moved. The WAL restarts after the rest is moved between two
   * commits.
   */
  readonly isThrough: () => boolean;
  /** Waits until the thread has closed the file. */
  readonly close: () => void;
}

const LONGEST_LEAVE_MS = 10_000;

/** Starts the thread at its first use. */
export function createMover(path: string): Mover {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let isStarted = false;

  const start = (): void => {
    isStarted = true;
    const thread = startThread(new URL('./move-thread.ts', import.meta.url), { path, cell });
    const end = (): void => void Atomics.store(cell, 0, MOVER.isGone);
    thread.on('error', end);
    thread.on('exit', end);
    thread.unref();
  };

  return {
    begin: () => {
      if (!isStarted) start();
      if (Atomics.compareExchange(cell, 0, MOVER.rests, MOVER.moves) === MOVER.isGone) return false;
      Atomics.notify(cell, 0);
      return true;
    },
    isThrough: () => Atomics.compareExchange(cell, 0, MOVER.hasMoved, MOVER.rests) === MOVER.hasMoved,
    close: () => {
      if (!isStarted || Atomics.exchange(cell, 0, MOVER.leaves) === MOVER.isGone) return;
      Atomics.notify(cell, 0);
      Atomics.wait(cell, 0, MOVER.leaves, LONGEST_LEAVE_MS);
    },
  };
}
