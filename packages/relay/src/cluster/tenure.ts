import type { CoreClock } from '../core/ports.ts';
import type { Keeping } from './keeper-lease.ts';
import type { Stage } from './node-ground.ts';

export interface TenureOptions {
  readonly openBranch: () => Promise<Stage>;
  readonly openHouse: (term: number) => Promise<Stage>;
  /** It could not be opened: the term is given up, so that another may try. */
  readonly onFailed: (term: number) => void;
  readonly clock: Pick<CoreClock, 'after'>;
  readonly onFault: (error: unknown) => void;
}

/** Which stage stands: one at a time, and the next only when the last one is gone. */
export interface Tenure {
  readonly stage: () => Stage | undefined;
  /** The term of the house that stands here. */
  readonly term: () => number | undefined;
  readonly follow: (keeping: Keeping) => void;
  /** Resolves when what was asked for last stands. */
  readonly settled: () => Promise<void>;
  readonly close: Stage['close'];
}

/** The lease may end before those who are here have said goodbye; what they still commit is refused. */
const LEAVE_MS = 1_000;
const AGAIN_MS = 1_000;
const BRANCH = 'branch';

export function createTenure({ openBranch, openHouse, onFailed, clock, onFault }: TenureOptions): Tenure {
  let wanted: number | typeof BRANCH = BRANCH;
  let standing: { readonly stage: Stage; readonly as: number | typeof BRANCH } | undefined;
  let closed = false;
  let moving: Promise<void> | undefined;
  let callOff = (): void => {};

  const open = async (as: typeof wanted): Promise<void> => {
    try {
      const stage = await (as === BRANCH ? openBranch() : openHouse(as));
      standing = { stage, as };
    } catch (error) {
      onFault(error);
      if (wanted !== as) return;
      wanted = BRANCH;
      if (as !== BRANCH) onFailed(as);
      // Without the database there is nothing to stand on.
      else throw error;
    }
  };

  const move = async (): Promise<void> => {
    while (!closed && standing?.as !== wanted) {
      const last = standing;
      standing = undefined;
      await last?.stage.close(LEAVE_MS);
      if (!closed) await open(wanted);
    }
  };
  const start = (): void => {
    moving ??= move()
      .catch(() => {
        callOff();
        if (!closed) callOff = clock.after(AGAIN_MS, start);
      })
      .finally(() => {
        moving = undefined;
      });
  };

  return {
    stage: () => standing?.stage,
    term: () => (typeof standing?.as === 'number' ? standing.as : undefined),
    follow(keeping) {
      wanted = keeping.kind === 'ours' ? keeping.term : BRANCH;
      start();
    },
    async settled() {
      while (moving !== undefined) await moving;
    },
    async close(ms, empty) {
      closed = true;
      callOff();
      await moving;
      await standing?.stage.close(ms, empty);
      standing = undefined;
    },
  };
}
