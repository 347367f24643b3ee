import type { Bus, Head, NoteOf } from './ports.ts';

/** Tells the other relays each second that this one lives, and again what they may not have heard. */
export interface Beat {
  readonly start: () => void;
  readonly stop: () => void;
  /** Something was appended to it. */
  readonly appended: (session_id: string) => void;
  /** At once, and again. */
  readonly left: (connection_id: string) => void;
  readonly revoked: (device_id: string) => void;
}

interface BeatOptions {
  readonly node_id: string;
  readonly keeps: boolean;
  readonly bus: Bus;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly head: (session_id: string) => number;
}

const BEAT_MS = 1_000;
/** How often a thing is said: more beats than are lost in a row. */
const TIMES = 5;
/** A note stays smaller than any bus would refuse. */
const MAX_HEADS = 2_000;

/** Ids, each with how often it is still to be said. */
function createRepeats() {
  const left = new Map<string, number>();
  return {
    put: (id: string): void => {
      left.set(id, TIMES);
    },
    take: (): readonly string[] => {
      const ids = [...left.keys()];
      for (const [id, times] of left) {
        if (times > 1) left.set(id, times - 1);
        else left.delete(id);
      }
      return ids;
    },
  };
}

export function createBeat({ node_id, keeps, bus, after, head }: BeatOptions): Beat {
  const [heads, gone, revoked] = [createRepeats(), createRepeats(), createRepeats()];
  let callOff: (() => void) | undefined;

  const say = (said: Partial<Pick<NoteOf<'beat'>, 'heads' | 'left' | 'revoked'>>): void =>
    bus.publish({ kind: 'beat', node_id, keeps, heads: [], left: [], revoked: [], ...said });

  const beat = (): void => {
    callOff = after(BEAT_MS, beat);
    const known: readonly Head[] = heads.take().map((session_id) => ({ session_id, head: head(session_id) }));
    say({ heads: known.slice(0, MAX_HEADS), left: gone.take(), revoked: revoked.take() });
    for (let from = MAX_HEADS; from < known.length; from += MAX_HEADS) {
      say({ heads: known.slice(from, from + MAX_HEADS) });
    }
  };

  return {
    start: () => {
      if (callOff === undefined) beat();
    },
    stop: () => {
      callOff?.();
      callOff = undefined;
    },
    appended: heads.put,
    left: (connection_id) => {
      gone.put(connection_id);
      say({ left: [connection_id] });
    },
    revoked: (device_id) => {
      revoked.put(device_id);
      say({ revoked: [device_id] });
    },
  };
}
