import type { CoreClock } from '../core/ports.ts';
import type { Keeping } from './keeper-lease.ts';
import type { Stage } from './node-ground.ts';

export interface TenureOptions {
  readonly openBranch: () => Promise<Stage>;
  readonly openHouse: (term: number) => Promise<Stage>;
  /** The role could not be opened: the term is given up, so that another node may try. */
  readonly onFailed: (term: number) => void;
  readonly clock: Pick<CoreClock, 'after'>;
  readonly onFault: (error: unknown) => void;
}

/** Role switch: one role at a time, and the next only after the last one closed. */
export interface Tenure {
  readonly stage: () => Stage | undefined;
  /** The term of the leader role that is open here. */
  readonly term: () => number | undefined;
  readonly follow: (keeping: Keeping) => void;
  /** Resolves when the role wanted last is open. */
  readonly settled: () => Promise<void>;
  readonly close: Stage['close'];
}

/** The lease may end before all clients have left; their later commits are fenced. */
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
      // Without the database no role can open.
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
