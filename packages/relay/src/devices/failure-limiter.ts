import { isIPv6 } from 'node:net';
import type { CoreClock } from '../core/ports.ts';

/**
 * CHT-96: counts failures by address and by credential. Callers decide whether a correct secret has to wait.
 */
export interface FailureLimiter {
  readonly areTooMany: (keys: readonly string[]) => boolean;
  readonly add: (keys: readonly string[]) => void;
  readonly close: () => void;
}

export const FAILURES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Bounds the memory that guesses from many addresses take. */
const MOST_KEYS = 100_000;

/** The one-minute window of a key starts at its first failure. */
export function createFailureLimiter(
  clock: Pick<CoreClock, 'after'>,
  limit = FAILURES_PER_MINUTE,
  ms = MINUTE_MS,
): FailureLimiter {
  const minutes = new Map<string, { failures: number; readonly cancel: () => void }>();
  return {
    areTooMany: (keys) => keys.some((key) => (minutes.get(key)?.failures ?? 0) >= limit),
    add(keys) {
      for (const key of keys) {
        const minute = minutes.get(key);
        if (minute !== undefined) minute.failures += 1;
        else if (minutes.size < MOST_KEYS)
          minutes.set(key, { failures: 1, cancel: clock.after(ms, () => minutes.delete(key)) });
      }
    },
    close() {
      for (const { cancel } of minutes.values()) cancel();
      minutes.clear();
    },
  };
}

/** An IPv6 network has 2^64 addresses, so the whole /64 counts as one. */
export function addressKey(address: string): string {
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined || !isIPv6(bare)) return mapped ?? bare;
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
