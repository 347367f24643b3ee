import type { CoreClock } from '../../core/ports.ts';

export interface PaceOptions {
  readonly clock: CoreClock;
  readonly perSecond: number;
  readonly burst: number;
  /** Refill interval; 20 by default. */
  readonly lotMs?: number;
  /** Share of the event loop's time that the frames may take, 1 for all of it; unlimited by default. */
  readonly loopShare?: number;
  /** How many nodes share the rate; 1 by default. */
  readonly share?: () => number;
  /** Called when no lane is open and the bucket is full, so a new one would be equal. */
  readonly onRested?: () => void;
}

/** CHT-97: a token bucket that all lanes share. Frames beyond the rate wait, in order. */
export interface FramePace {
  /** `onWaiting`: whether frames of the lane wait; its socket is not read while they do. */
  readonly open: (onWaiting: (waiting: boolean) => void) => PaceLane;
  /** Drops waiting frames. */
  readonly close: () => void;
  /** How much of the burst is used. */
  readonly used: () => number;
}

export interface PaceLane {
  /** `cost`: how many frames it counts as. The last frame may cost more than is left. */
  readonly take: (act: () => void, cost?: number) => void;
  /** Takes room for what was done already: what comes next waits until it is paid for. */
  readonly charge: (cost: number) => void;
  /** What waits is forgotten. */
  readonly close: () => void;
}

interface LaneState {
  /** Number of waiting frames. */
  waiting: number;
  readonly onWaiting: (waiting: boolean) => void;
}

/** Caps the charge, because the process may be paused during a frame. */
const MOST_CHARGED_MS = 100;

/** Frames pass in batches: a timer per frame would fire every half millisecond for a proxy. */
const LOT_MS = 20;

export function createFramePace(options: PaceOptions): FramePace {
  const { clock, perSecond, burst, share = () => 1, onRested } = options;
  const lot = Math.max(1, Math.floor((perSecond * (options.lotMs ?? LOT_MS)) / 1_000));
  const lotMs = (lot * 1_000) / perSecond;
  const costOfMs = perSecond / 1_000 / (options.loopShare ?? Number.POSITIVE_INFINITY);
  const lanes = new Set<LaneState>();
  let queue: { readonly lane: LaneState; readonly act: () => void; readonly cost: number }[] = [];
  let room = burst;
  const full = (): number => Math.max(1, Math.floor(burst / share()));
  let callOff: (() => void) | undefined;
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
    callOff = undefined;
    room = Math.min(full(), room + lot);
    while (room > 0) {
      const next = queue.shift();
      if (next === undefined) break;
      const { lane, act, cost } = next;
      lane.waiting -= 1;
      spend(act, cost);
      if (lane.waiting === 0 && lanes.has(lane)) lane.onWaiting(false);
    }
    keepRefilling();
  };

  const keepRefilling = () => {
    if (closed) return;
    if (room < full()) callOff ??= clock.after(lotMs * share(), refill);
    else if (lanes.size === 0) onRested?.();
  };

  return {
    open(onWaiting) {
      const lane: LaneState = { waiting: 0, onWaiting };
      lanes.add(lane);
      return {
        take(act, cost = 1) {
          if (closed || !lanes.has(lane)) return;
          if (room <= 0 || queue.length > 0) {
            queue.push({ lane, act, cost });
            lane.waiting += 1;
            if (lane.waiting === 1) onWaiting(true);
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
          if (!lanes.delete(lane)) return;
          queue = queue.filter((each) => each.lane !== lane);
          keepRefilling();
        },
      };
    },
    used: () => burst - room,
    close() {
      closed = true;
      queue = [];
      lanes.clear();
      callOff?.();
    },
  };
}
