import type { CoreClock } from '../../core/ports.ts';

export interface PaceOptions {
  readonly clock: CoreClock;
  readonly perSecond: number;
  readonly burst: number;
  /** How often room is given back; 20 unless said otherwise. */
  readonly lotMs?: number;
  /** The part of the event loop's time that its frames may take, 1 for all of it; unlimited unless given. */
  readonly loopShare?: number;
  /** How many nodes share it between them; 1 unless said otherwise. */
  readonly share?: () => number;
  /** No lane is open, and another pace would have no more room. */
  readonly onRested?: () => void;
}

/** CHT-97: acts on so many frames a second, of all lanes together. What comes faster waits, in order. */
export interface FramePace {
  /** `onWaiting`: frames have to wait, or none does any more: the lane's socket is left unread meanwhile. */
  readonly open: (onWaiting: (waiting: boolean) => void) => PaceLane;
  /** What waits is forgotten. */
  readonly close: () => void;
  /** How much of the burst is used up. */
  readonly used: () => number;
}

export interface PaceLane {
  /** `cost`: how many frames it counts as. The one that takes the last room may cost more than is left. */
  readonly take: (act: () => void, cost?: number) => void;
  /** Takes room for what was done already: what comes next waits until it is paid for. */
  readonly charge: (cost: number) => void;
  /** What waits is forgotten. */
  readonly close: () => void;
}

interface LaneState {
  /** How many of its frames wait. */
  waiting: number;
  readonly onWaiting: (waiting: boolean) => void;
}

/** A pause of the process during a frame is not the frame's fault: no frame is charged more. */
const MOST_CHARGED_MS = 100;

/** Frames are let through in lots: a timer a frame would be one every half millisecond for a proxy. */
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

  /** A frame costs what its length says, or the time that it took: whichever is more. */
  const spend = (act: () => void, cost: number): void => {
    room -= cost;
    const before = costOfMs === 0 ? 0 : clock.now();
    act();
    if (costOfMs === 0) return;
    const ms = Math.min(MOST_CHARGED_MS, clock.now() - before);
    room -= Math.max(0, ms * costOfMs - cost);
  };

  /** The room grows by the timer and not by the wall clock, which jumps (CHT-114). */
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
