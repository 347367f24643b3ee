import type { CoreClock } from '../../core/ports.ts';
import { createTokenBuckets } from '../quotas/token-buckets.ts';

export interface StrangerPaceOptions {
  readonly clock: CoreClock;
  readonly perSecond: number;
  readonly burst: number;
}

/** After a longer wait a client considers the relay dead. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Delays requests without a credential beyond the rate of their address. Resolves to 0 when they may
 * continue, or to the milliseconds after which to try again.
 */
export function createStrangerPace({ clock, perSecond, burst }: StrangerPaceOptions) {
  const buckets = createTokenBuckets({ now: clock.now, perSecond, burst });
  return async (address: string): Promise<number> => {
    const waitMs = buckets.take(address);
    if (waitMs > LONGEST_WAIT_MS) return waitMs;
    if (waitMs > 0) {
      buckets.charge(address, 1);
      await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
    }
    return 0;
  };
}
