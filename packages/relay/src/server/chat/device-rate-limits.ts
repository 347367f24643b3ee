import type { CoreClock, Identity } from '../../core/ports.ts';
import type { RelayLimits } from '../options.ts';
import { createFrameRateLimit, type FrameRateLimit, type RateLimitedStream } from './frame-rate-limit.ts';

/** One token bucket per device, for any number of sockets; each stranger's socket has its own. */
export interface DeviceRateLimits {
  readonly open: (identity: Identity | undefined, onWaiting: (waiting: boolean) => void) => RateLimitedStream;
  readonly close: () => void;
  /** Usage of the device that has used most of its burst, for `/metrics`. */
  readonly mostUsed: () => number;
}

export interface DeviceRateLimitsOptions {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  /** Number of nodes on which a device has sockets; undefined on a single relay. */
  readonly nodesOf?: ((device_id: string) => number) | undefined;
  /** The chat's rate by default. */
  readonly rateOf?: (identity: Identity | undefined, limits: RelayLimits) => FrameRate;
}

export interface FrameRate {
  readonly perSecond: number;
  readonly burst: number;
  readonly refillMs?: number;
  readonly loopShare?: number;
}

export function createDeviceRateLimits(options: DeviceRateLimitsOptions): DeviceRateLimits {
  const { clock, limits, nodesOf, rateOf = chatRate } = options;
  const rateLimits = new Map<string | symbol, FrameRateLimit>();

  const paceOf = (identity: Identity | undefined): FrameRateLimit => {
    const key = identity?.device_id ?? Symbol('stranger');
    const known = rateLimits.get(key);
    if (known !== undefined) return known;
    // Kept until the bucket is full: a device that reconnects at once would get another burst.
    const onRested = () => rateLimits.delete(key);
    const rateLimit = createFrameRateLimit({
      ...{ clock, onRested, ...rateOf(identity, limits) },
      ...(identity && nodesOf && { share: () => nodesOf(identity.device_id) }),
    });
    rateLimits.set(key, rateLimit);
    return rateLimit;
  };

  return {
    open: (identity, onWaiting) => paceOf(identity).open(onWaiting),
    mostUsed: () => Math.max(0, ...[...rateLimits.values()].map((rateLimit) => rateLimit.used())),
    close() {
      for (const rateLimit of rateLimits.values()) rateLimit.close();
      rateLimits.clear();
    },
  };
}

function chatRate(identity: Identity | undefined, limits: RelayLimits): FrameRate {
  const loopShare = limits.loop_percent / 100;
  return identity?.roles.includes('proxy') === true
    ? { perSecond: limits.proxy_frames_per_second, burst: limits.proxy_frames_per_second, loopShare }
    : { perSecond: limits.browser_frames_per_second, burst: limits.browser_burst, loopShare };
}

/** Rate at the runtime and agent ports. */
export const bridgeRate = (_: Identity | undefined, limits: RelayLimits): FrameRate => ({
  perSecond: limits.bridge_frames_per_second,
  burst: limits.bridge_burst,
  loopShare: limits.loop_percent / 100,
});

/** How many frames a frame counts as: parsing a megabyte takes as long as parsing hundreds of small ones. */
export const frameCost = (chars: number, { frame_unit }: RelayLimits): number =>
  Math.max(1, Math.ceil(chars / frame_unit));

const DAY_S = 86_400;
const LEDGER_REFILL_MS = 10_000;

/** Bytes that a device may add to the ledger in a day, at once or spread out. */
export const ledgerRate = (identity: Identity | undefined, limits: RelayLimits): FrameRate => {
  const burst = ledgerBytes(identity, limits);
  return { perSecond: burst / DAY_S, burst, refillMs: LEDGER_REFILL_MS };
};

const ledgerBytes = (identity: Identity | undefined, limits: RelayLimits): number =>
  identity?.roles.includes('proxy') === true
    ? limits.proxy_ledger_bytes_per_day
    : limits.ledger_bytes_per_day;
