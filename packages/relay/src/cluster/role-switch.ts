import type { CoreClock } from '../core/ports.ts';
import type { Leadership } from './leader-lease.ts';
import type { NodeRole } from './node-context.ts';

export interface RoleSwitchOptions {
  readonly openFollower: () => Promise<NodeRole>;
  readonly openLeader: (term: number) => Promise<NodeRole>;
  /** The role could not be opened: the term is given up, so that another node may try. */
  readonly onFailed: (term: number) => void;
  readonly clock: Pick<CoreClock, 'after'>;
  readonly onError: (error: unknown) => void;
}

/** Role switch: one role at a time, and the next only after the last one closed. */
export interface RoleSwitch {
  readonly role: () => NodeRole | undefined;
  /** The term of the leader role that is open here. */
  readonly term: () => number | undefined;
  readonly apply: (leadership: Leadership) => void;
  /** Resolves when the role wanted last is open. */
  readonly finished: () => Promise<void>;
  readonly close: NodeRole['close'];
}

/** The lease may end before all clients have left; their later commits are fenced. */
const LEAVE_MS = 1_000;
const AGAIN_MS = 1_000;
const FOLLOWER = 'follower';

export function createRoleSwitch({
  openFollower,
  openLeader,
  onFailed,
  clock,
  onError,
}: RoleSwitchOptions): RoleSwitch {
  let wanted: number | typeof FOLLOWER = FOLLOWER;
  let current: { readonly role: NodeRole; readonly as: number | typeof FOLLOWER } | undefined;
  let closed = false;
  let moving: Promise<void> | undefined;
  let cancel = (): void => {};

  const open = async (as: typeof wanted): Promise<void> => {
    try {
      const role = await (as === FOLLOWER ? openFollower() : openLeader(as));
      current = { role, as };
    } catch (error) {
      onError(error);
      if (wanted !== as) return;
      wanted = FOLLOWER;
      if (as !== FOLLOWER) onFailed(as);
      // Without the database no role can open.
      else throw error;
    }
  };

  const move = async (): Promise<void> => {
    while (!closed && current?.as !== wanted) {
      const last = current;
      current = undefined;
      await last?.role.close(LEAVE_MS);
      if (!closed) await open(wanted);
    }
  };
  const start = (): void => {
    moving ??= move()
      .catch(() => {
        cancel();
        if (!closed) cancel = clock.after(AGAIN_MS, start);
      })
      .finally(() => {
        moving = undefined;
      });
  };

  return {
    role: () => current?.role,
    term: () => (typeof current?.as === 'number' ? current.as : undefined),
    apply(leadership) {
      wanted = leadership.kind === 'ours' ? leadership.term : FOLLOWER;
      start();
    },
    async finished() {
      while (moving !== undefined) await moving;
    },
    async close(ms, empty) {
      closed = true;
      cancel();
      await moving;
      await current?.role.close(ms, empty);
      current = undefined;
    },
  };
}
