import { constants, getPriority, setPriority } from 'node:os';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { MOVER } from './mover.ts';

/** Commits go on meanwhile: each pass moves what was written during the one before, which is less each time. */
const MOST_PASSES = 6;
const FEW_PAGES = 60;

/** The thread of a mover: it has a connection of its own, and sleeps until it is called. */
const { path, cell }: { readonly path: string; readonly cell: Int32Array<SharedArrayBuffer> } = workerData;
try {
  stepBack();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = FULL');
  const pass = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  for (let state = Atomics.load(cell, 0); state !== MOVER.leaves; state = Atomics.load(cell, 0)) {
    if (state === MOVER.moves) {
      moveMost(pass);
      Atomics.compareExchange(cell, 0, MOVER.moves, MOVER.hasMoved);
    } else Atomics.wait(cell, 0, state);
  }
  database.close();
} finally {
  Atomics.store(cell, 0, MOVER.isGone);
  Atomics.notify(cell, 0);
}

/** Commits and sockets come first where there are few cores. Elsewhere it would be the priority of the whole program. */
function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some keep a service from that: it moves as well as before.
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
    // What was committed is safe in the WAL. A disk that fails says so to the next commit.
  }
}
