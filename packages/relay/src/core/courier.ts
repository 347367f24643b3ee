import type { Bus, Note, NoteOf } from './ports.ts';

/** Acked publish: repeats a bus message until another node acknowledges it. */
export interface Courier {
  /**
   * Publishes until acknowledged, and at least `atLeast` times. `onEnd` gets the acknowledging node, or
   * undefined after the last try.
   */
  readonly deliver: (
    id: string,
    note: Note,
    atLeast: number,
    onEnd: (node_id: string | undefined) => void,
  ) => void;
  /** Stops retrying, because no recipient is left. */
  readonly giveUp: (id: string) => void;
  readonly repeat: (note: Note, times: number) => void;
  readonly heard: (note: NoteOf<'heard'>) => void;
}

interface CourierOptions {
  readonly bus: Bus;
  readonly after: (ms: number, run: () => void) => () => void;
}

const RETRY_MS = 400;
/** Covers a leader change; a person who waits longer can ask again. */
const TRIES = 12;

export function createCourier({ bus, after }: CourierOptions): Courier {
  const waiting = new Map<string, (node_id: string | undefined) => void>();

  const say = (note: Note, goesOn: (times: number) => boolean, times = 1): void => {
    after(RETRY_MS, () => {
      if (goesOn(times)) say(note, goesOn, times + 1);
    });
    bus.publish(note);
  };

  return {
    deliver: (id, note, atLeast, onEnd) => {
      waiting.set(id, (node_id) => {
        if (waiting.delete(id)) onEnd(node_id);
      });
      say(note, (times) => {
        if (times === TRIES) waiting.get(id)?.(undefined);
        return times < (waiting.has(id) ? TRIES : atLeast);
      });
    },
    giveUp: (id) => waiting.get(id)?.(undefined),
    repeat: (note, most) => say(note, (times) => times < most),
    heard: ({ id, node_id }) => waiting.get(id)?.(node_id),
  };
}
