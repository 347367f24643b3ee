import type { CoreClock } from '../../core/ports.ts';

export interface PaceOptions {
  readonly clock: CoreClock;
  readonly perSecond: number;
  readonly burst: number;
  /** Called when frames have to wait, and again when none does: the socket is left unread meanwhile. */
  readonly onWaiting: (waiting: boolean) => void;
}

/** CHT-97: acts on so many frames a second. What comes faster waits, in order. */
export interface FramePace {
  readonly take: (act: () => void) => void;
  /** What waits is forgotten. */
  readonly close: () => void;
}

/** Frames are let through in lots: a timer a frame would be one every half millisecond for a proxy. */
const LOT_MS = 20;

export function createFramePace({ clock, perSecond, burst, onWaiting }: PaceOptions): FramePace {
  const lot = Math.max(1, Math.floor((perSecond * LOT_MS) / 1_000));
  const lotMs = (lot * 1_000) / perSecond;
  let waiting: Array<() => void> = [];
  let room = burst;
  let callOff: (() => void) | undefined;
  let closed = false;

  /** The room grows by the timer and not by the wall clock, which jumps (CHT-114). */
  const refill = () => {
    callOff = undefined;
    room = Math.min(burst, room + lot);
    const due = waiting.splice(0, room);
    const wasWaiting = due.length > 0;
    for (const act of due) {
      if (closed) return;
      room -= 1;
      act();
    }
    if (closed) return;
    if (wasWaiting && waiting.length === 0) onWaiting(false);
    keepRefilling();
  };

  const keepRefilling = () => {
    if (room < burst) callOff ??= clock.after(lotMs, refill);
  };

  return {
    take(act) {
      if (closed) return;
      if (room === 0 || waiting.length > 0) {
        waiting.push(act);
        if (waiting.length === 1) onWaiting(true);
        return;
      }
      room -= 1;
      keepRefilling();
      act();
    },
    close() {
      closed = true;
      waiting = [];
      callOff?.();
    },
  };
}
