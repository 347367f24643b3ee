import type { CoreClock } from '../../core/ports.ts';
import { DeviceError } from '../device-error.ts';
import { hashOf, newSecret, type Random } from '../secret.ts';

/** A challenge for an authenticator, with a secret that only the asking browser knows. */
export interface Challenge {
  readonly challenge: string;
  readonly attempt: string;
}

interface Pending {
  readonly challenge: string;
  readonly from: string;
  readonly expires_at: number;
}

export const CHALLENGE_MS = 5 * 60_000;
export const CHALLENGES_AT_MOST = 100;
const AT_MOST_FROM_ONE = 5;

/** Kept in memory: challenges end with the relay process. */
export function createChallenges(clock: Pick<CoreClock, 'now'>, random: Random) {
  const pending = new Map<string, Pending>();

  return {
    open(from: string): Challenge {
      for (const [hash, { expires_at }] of pending) if (expires_at <= clock.now()) pending.delete(hash);
      const [oldest, ...others] = [...pending].filter(([, each]) => each.from === from);
      if (oldest !== undefined && others.length + 1 >= AT_MOST_FROM_ONE) pending.delete(oldest[0]);
      if (pending.size >= CHALLENGES_AT_MOST) {
        throw new DeviceError('pairing_full', 'Too many sign-ins are under way: try again in five minutes.');
      }
      const [challenge, attempt] = [newSecret(random), newSecret(random)];
      pending.set(hashOf(attempt), { challenge, from, expires_at: clock.now() + CHALLENGE_MS });
      return { challenge, attempt };
    },

    /** Succeeds once, whatever its outcome. Throws before the first await. */
    take(attempt: string): { readonly challenge: string; readonly from: string } {
      const hash = hashOf(attempt);
      const found = pending.get(hash);
      pending.delete(hash);
      if (found === undefined || found.expires_at <= clock.now()) {
        throw new DeviceError(
          'passkey_refused',
          'This took longer than five minutes, or was done before. Try again.',
        );
      }
      return found;
    },
  };
}
