import type { CoreClock, Identity } from '../../core/ports.ts';
import type { RelayLimits } from '../options.ts';
import { createFramePace, type FramePace, type PaceLane } from './frame-pace.ts';

/** One pace a device, whatever number of sockets it opens; a stranger's socket has its own. */
export interface DevicePaces {
  readonly open: (identity: Identity | undefined, onWaiting: (waiting: boolean) => void) => PaceLane;
  readonly close: () => void;
  /** The use of the device that has used most of its burst, for `/metrics`. */
  readonly mostUsed: () => number;
}

export interface DevicePacesOptions {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  /** On how many nodes a device has sockets. */
  readonly nodesOf: (device_id: string) => number;
  /** That of the chat unless said otherwise. */
  readonly rateOf?: (identity: Identity | undefined, limits: RelayLimits) => FrameRate;
}

export interface FrameRate {
  readonly perSecond: number;
  readonly burst: number;
  readonly lotMs?: number;
  readonly loopShare?: number;
}

export function createDevicePaces(options: DevicePacesOptions): DevicePaces {
  const { clock, limits, nodesOf, rateOf = chatRate } = options;
  const paces = new Map<string | symbol, FramePace>();

  const paceOf = (identity: Identity | undefined): FramePace => {
    const key = identity?.device_id ?? Symbol('stranger');
    const known = paces.get(key);
    if (known !== undefined) return known;
    // It stays until it has rested: a device that comes back at once would have another burst.
    const onRested = () => paces.delete(key);
    const share = () => (identity === undefined ? 1 : nodesOf(identity.device_id));
    const pace = createFramePace({ clock, ...rateOf(identity, limits), share, onRested });
    paces.set(key, pace);
    return pace;
  };

  return {
    open: (identity, onWaiting) => paceOf(identity).open(onWaiting),
    mostUsed: () => Math.max(0, ...[...paces.values()].map((pace) => pace.used())),
    close() {
      for (const pace of paces.values()) pace.close();
      paces.clear();
    },
  };
}

function chatRate(identity: Identity | undefined, limits: RelayLimits): FrameRate {
  const loopShare = limits.loop_percent / 100;
  return identity?.roles.includes('proxy') === true
    ? { perSecond: limits.proxy_frames_per_second, burst: limits.proxy_frames_per_second, loopShare }
    : { perSecond: limits.browser_frames_per_second, burst: limits.browser_burst, loopShare };
}

/** At the doors of runtimes and agents. */
export const bridgeRate = (_: Identity | undefined, limits: RelayLimits): FrameRate => ({
  perSecond: limits.bridge_frames_per_second,
  burst: limits.bridge_burst,
  loopShare: limits.loop_percent / 100,
});

/** How many frames a frame counts as: parsing a megabyte takes as long as parsing hundreds of small ones. */
export const frameCost = (chars: number, { frame_unit }: RelayLimits): number =>
  Math.max(1, Math.ceil(chars / frame_unit));

const DAY_S = 86_400;
const LEDGER_LOT_MS = 10_000;

/** In bytes: what a device may add to the ledger in a day, at once or over the day. */
export const ledgerRate = (identity: Identity | undefined, limits: RelayLimits): FrameRate => {
  const burst = ledgerBytes(identity, limits);
  return { perSecond: burst / DAY_S, burst, lotMs: LEDGER_LOT_MS };
};

const ledgerBytes = (identity: Identity | undefined, limits: RelayLimits): number =>
  identity?.roles.includes('proxy') === true
    ? limits.proxy_ledger_bytes_per_day
    : limits.ledger_bytes_per_day;
