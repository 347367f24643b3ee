import type { CoreContext } from './core-context.ts';
import type { BusMessageOf, Head } from './ports.ts';

/** Node heartbeat: one bus message a second, which repeats recent facts that may have been lost. */
export type NodeHeartbeat = ReturnType<typeof createNodeHeartbeat>;

const HEARTBEAT_MS = 1_000;
/** Repeats of each fact: more heartbeats than are lost in a row. */
const TIMES = 5;
/** Keeps a bus message below the size limit of any bus. */
const MAX_HEADS = 2_000;

/** Ids, each with its remaining repeats. */
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

export function createNodeHeartbeat({ node_id, isLeader, bus, after, feed }: CoreContext) {
  const [heads, gone, revoked] = [createRepeats(), createRepeats(), createRepeats()];
  let cancel: (() => void) | undefined;

  const say = (said: Partial<Pick<BusMessageOf<'heartbeat'>, 'heads' | 'left' | 'revoked'>>): void =>
    bus.publish({
      kind: 'heartbeat',
      node_id,
      is_leader: isLeader,
      heads: [],
      left: [],
      revoked: [],
      ...said,
    });

  const heartbeat = (): void => {
    cancel = after(HEARTBEAT_MS, heartbeat);
    const known: readonly Head[] = heads.take().map((session_id) => ({
      session_id,
      head: feed.head(session_id),
    }));
    say({ heads: known.slice(0, MAX_HEADS), left: gone.take(), revoked: revoked.take() });
    for (let from = MAX_HEADS; from < known.length; from += MAX_HEADS) {
      say({ heads: known.slice(from, from + MAX_HEADS) });
    }
  };

  return {
    start: (): void => {
      if (cancel === undefined) heartbeat();
    },
    stop: (): void => {
      cancel?.();
      cancel = undefined;
    },
    /** Repeats the head of this session in the next heartbeats. */
    appended: heads.put,
    /** Published at once and repeated in the next heartbeats. */
    left: (connection_id: string): void => {
      gone.put(connection_id);
      say({ left: [connection_id] });
    },
    revoked: (device_id: string): void => {
      revoked.put(device_id);
      say({ revoked: [device_id] });
    },
  };
}
