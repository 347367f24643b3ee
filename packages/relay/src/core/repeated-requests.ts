import type { Bus, BusMessage, BusRequest } from './ports.ts';

/** Repeats bus requests until another node acknowledges them. The recipient drops repeats by their id. */
export type RepeatedRequests = ReturnType<typeof createRepeatedRequests>;

interface RepeatedRequestsOptions {
  readonly bus: Bus;
  readonly after: (ms: number, run: () => void) => () => void;
}

const RETRY_MS = 400;
/** Covers a leader change; a person who waits longer can ask again. */
const TRIES = 12;

export function createRepeatedRequests({ bus, after }: RepeatedRequestsOptions) {
  const waiting = new Map<string, (node_id: string | undefined) => void>();

  const repeatedly = (send: () => void, goesOn: (times: number) => boolean, times = 1): void => {
    after(RETRY_MS, () => {
      if (goesOn(times)) repeatedly(send, goesOn, times + 1);
    });
    send();
  };

  return {
    /** Sends at least `atLeast` times. `onEnd` gets the acknowledging node, or undefined after the last try. */
    request: (
      id: string,
      message: BusRequest,
      atLeast: number,
      onEnd: (node_id: string | undefined) => void,
    ): void => {
      waiting.set(id, (node_id) => {
        if (waiting.delete(id)) onEnd(node_id);
      });
      const send = (): void => {
        // A late answer to an earlier try counts too.
        void bus.request(message, RETRY_MS * TRIES).then((node_id) => {
          if (node_id !== undefined) waiting.get(id)?.(node_id);
        });
      };
      repeatedly(send, (times) => {
        if (times === TRIES) waiting.get(id)?.(undefined);
        return times < (waiting.has(id) ? TRIES : atLeast);
      });
    },
    /** Stops retrying, because no recipient is left. */
    giveUp: (id: string) => waiting.get(id)?.(undefined),
    /** Publishes without waiting for anybody. */
    repeat: (message: BusMessage, most: number) =>
      repeatedly(
        () => bus.publish(message),
        (times) => times < most,
      ),
  };
}
