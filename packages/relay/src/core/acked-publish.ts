import type { Bus, BusMessage, BusMessageOf } from './ports.ts';

/** Acked publish: repeats a bus message until another node acknowledges it. */
export interface AckedPublish {
  /**
   * Publishes until acknowledged, and at least `atLeast` times. `onEnd` gets the acknowledging node, or
   * undefined after the last try.
   */
  readonly publishUntilAcked: (
    id: string,
    note: BusMessage,
    atLeast: number,
    onEnd: (node_id: string | undefined) => void,
  ) => void;
  /** Stops retrying, because no recipient is left. */
  readonly giveUp: (id: string) => void;
  readonly repeat: (note: BusMessage, times: number) => void;
  readonly acked: (note: BusMessageOf<'heard'>) => void;
}

interface AckedPublishOptions {
  readonly bus: Bus;
  readonly after: (ms: number, run: () => void) => () => void;
}

const RETRY_MS = 400;
/** Covers a leader change; a person who waits longer can ask again. */
const TRIES = 12;

export function createAckedPublish({ bus, after }: AckedPublishOptions): AckedPublish {
  const waiting = new Map<string, (node_id: string | undefined) => void>();

  const publishRepeatedly = (note: BusMessage, goesOn: (times: number) => boolean, times = 1): void => {
    after(RETRY_MS, () => {
      if (goesOn(times)) publishRepeatedly(note, goesOn, times + 1);
    });
    bus.publish(note);
  };

  return {
    publishUntilAcked: (id, note, atLeast, onEnd) => {
      waiting.set(id, (node_id) => {
        if (waiting.delete(id)) onEnd(node_id);
      });
      publishRepeatedly(note, (times) => {
        if (times === TRIES) waiting.get(id)?.(undefined);
        return times < (waiting.has(id) ? TRIES : atLeast);
      });
    },
    giveUp: (id) => waiting.get(id)?.(undefined),
    repeat: (note, most) => publishRepeatedly(note, (times) => times < most),
    acked: ({ id, node_id }) => waiting.get(id)?.(node_id),
  };
}
