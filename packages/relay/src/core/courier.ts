import type { Bus, Note, NoteOf } from './ports.ts';

/** Carries notes that must arrive over a bus that may lose them. */
export interface Courier {
  /** Says it until somebody has heard it, and so often in any case. The end: by whom, or undefined when by nobody in time. */
  readonly deliver: (
    id: string,
    note: Note,
    atLeast: number,
    onEnd: (node_id: string | undefined) => void,
  ) => void;
  /** Nobody is there any more who could hear it. */
  readonly giveUp: (id: string) => void;
  readonly repeat: (note: Note, times: number) => void;
  readonly heard: (note: NoteOf<'heard'>) => void;
}

interface CourierOptions {
  readonly bus: Bus;
  readonly after: (ms: number, run: () => void) => () => void;
}

const RETRY_MS = 400;
/** Longer than a keeper takes to be replaced is too long for somebody who waits: they can ask again. */
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
