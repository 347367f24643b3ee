import type { CoreClock, Identity } from '../../core/ports.ts';
import type { RelayLimits } from '../options.ts';

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

/** One token bucket per device, for any number of sockets; each stranger's socket has its own. */
export function createDeviceRateLimits(options: DeviceRateLimitsOptions) {
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
    open: (identity: Identity | undefined, onWaiting: (waiting: boolean) => void): RateLimitedStream =>
      paceOf(identity).open(onWaiting),
    /** Usage of the device that has used most of its burst, for `/metrics`. */
    mostUsed: (): number => Math.max(0, ...[...rateLimits.values()].map((rateLimit) => rateLimit.used())),
    close(): void {
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

export interface FrameRateOptions {
  readonly clock: CoreClock;
  readonly perSecond: number;
  readonly burst: number;
  /** Refill interval; 20 by default. */
  readonly refillMs?: number;
  /** Share of the event loop's time that the frames may take, 1 for all of it; unlimited by default. */
  readonly loopShare?: number;
  /** How many nodes share the rate; 1 by default. */
  readonly share?: () => number;
  /** Called when no stream is open and the bucket is full, so a new one would be equal. */
  readonly onRested?: () => void;
}

/** CHT-97: a token bucket that all streams share. Frames beyond the rate wait, in order. */
export type FrameRateLimit = ReturnType<typeof createFrameRateLimit>;

export interface RateLimitedStream {
  /** `cost`: how many frames it counts as. The last frame may cost more than is left. */
  readonly take: (act: () => void, cost?: number) => void;
  /** Charges for work already done: later frames wait until the bucket has refilled. */
  readonly charge: (cost: number) => void;
  /** Drops the waiting frames. */
  readonly close: () => void;
}

interface StreamState {
  /** Number of waiting frames. */
  waiting: number;
  readonly onWaiting: (waiting: boolean) => void;
}

/** Caps the charge, because the process may be paused during a frame. */
const MOST_CHARGED_MS = 100;

/** Frames pass in batches: a timer per frame would fire every half millisecond for a proxy. */
const REFILL_MS = 20;

export function createFrameRateLimit(options: FrameRateOptions) {
  const { clock, perSecond, burst, share, onRested } = options;
  const batch = Math.max(1, Math.floor((perSecond * (options.refillMs ?? REFILL_MS)) / 1_000));
  const refillMs = (batch * 1_000) / perSecond;
  const costOfMs = perSecond / 1_000 / (options.loopShare ?? Number.POSITIVE_INFINITY);
  const streams = new Set<StreamState>();
  let queue: { readonly stream: StreamState; readonly act: () => void; readonly cost: number }[] = [];
  let room = burst;
  const full = (): number => Math.max(1, Math.floor(burst / (share?.() ?? 1)));
  let cancel: (() => void) | undefined;
  let closed = false;

  /** A frame costs the larger of its length and the time it took. */
  const spend = (act: () => void, cost: number): void => {
    room -= cost;
    const before = costOfMs === 0 ? 0 : clock.now();
    act();
    if (costOfMs === 0) return;
    const ms = Math.min(MOST_CHARGED_MS, clock.now() - before);
    room -= Math.max(0, ms * costOfMs - cost);
  };

  /** Refills by timer, because the wall clock jumps (CHT-114). */
  const refill = () => {
    cancel = undefined;
    room = Math.min(full(), room + batch);
    while (room > 0) {
      const next = queue.shift();
      if (next === undefined) break;
      const { stream, act, cost } = next;
      stream.waiting -= 1;
      spend(act, cost);
      if (stream.waiting === 0 && streams.has(stream)) stream.onWaiting(false);
    }
    keepRefilling();
  };

  const keepRefilling = () => {
    if (closed) return;
    if (room < full()) cancel ??= clock.after(refillMs * (share?.() ?? 1), refill);
    else if (streams.size === 0) onRested?.();
  };

  return {
    /** `onWaiting`: whether frames of the stream wait; its socket is not read while they do. */
    open(onWaiting: (waiting: boolean) => void): RateLimitedStream {
      const stream: StreamState = { waiting: 0, onWaiting };
      streams.add(stream);
      return {
        take(act, cost = 1) {
          if (closed || !streams.has(stream)) return;
          if (room <= 0 || queue.length > 0) {
            queue.push({ stream, act, cost });
            stream.waiting += 1;
            if (stream.waiting === 1) onWaiting(true);
            return;
          }
          spend(act, cost);
          keepRefilling();
        },
        charge(cost) {
          room -= cost;
          keepRefilling();
        },
        close() {
          if (!streams.delete(stream)) return;
          queue = queue.filter((each) => each.stream !== stream);
          keepRefilling();
        },
      };
    },
    /** How much of the burst is used. */
    used: (): number => burst - room,
    /** Drops waiting frames. */
    close(): void {
      closed = true;
      queue = [];
      streams.clear();
      cancel?.();
    },
  };
}
