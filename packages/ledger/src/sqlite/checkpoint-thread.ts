import { constants, getPriority, setPriority } from 'node:os';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { CHECKPOINTER } from './checkpointer.ts';

/**
 * Commits continue during a checkpoint: each pass moves the pages written during the one before, fewer each
 * time.
 */
const MOST_PASSES = 6;
const FEW_PAGES = 60;

/** Checkpointer thread, with a separate connection; sleeps until it is woken. */
const { path, cell }: { readonly path: string; readonly cell: Int32Array<SharedArrayBuffer> } = workerData;
try {
  stepBack();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = FULL');
  const pass = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  for (let state = Atomics.load(cell, 0); state !== CHECKPOINTER.leaves; state = Atomics.load(cell, 0)) {
    if (state === CHECKPOINTER.moves) {
      moveMost(pass);
      Atomics.compareExchange(cell, 0, CHECKPOINTER.moves, CHECKPOINTER.hasMoved);
    } else Atomics.wait(cell, 0, state);
  }
  database.close();
} finally {
  Atomics.store(cell, 0, CHECKPOINTER.isGone);
  Atomics.notify(cell, 0);
}

/**
 * Lowers the thread's priority in favour of commits and sockets. On other systems this would affect the whole
 * process.
 */
function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some service managers forbid it; the checkpoint works without.
  }
}

function moveMost(pass: StatementSync): void {
  let before = 0;
  try {
    for (let time = 0; time < MOST_PASSES; time += 1) {
      const pages = Number(pass.get()?.['log']);
      if (pages - before <= FEW_PAGES) return;
      before = pages;
    }
  } catch {
    // Committed pages are safe in the WAL. A failing disk is reported by the next commit.
  }
}
