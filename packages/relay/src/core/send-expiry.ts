import type { CoreContext } from './core-context.ts';
import type { QueuedSend } from './send-queue.ts';

/** Sends queued at about the same time, because a timer per send dominates its memory cost. */
export interface ExpiryBatch {
  readonly sends: Set<QueuedSend>;
  readonly cancel: () => void;
}

const MAX_BATCH_MS = 1_000;
const BATCHES = 1_000;

/** CHT-157: reports sends that waited too long, by a monotonic clock. */
export function createSendExpiry(
  { after, times }: Pick<CoreContext, 'after' | 'times'>,
  onExpired: (entry: QueuedSend) => void,
) {
  const batchMs = Math.min(MAX_BATCH_MS, times.queue_ms / BATCHES);
  /** The batch that new sends join. */
  let latest: ExpiryBatch | undefined;

  const openBatch = (ms: number): ExpiryBatch => {
    const sends = new Set<QueuedSend>();
    const cancel = after(ms, () => {
      for (const entry of sends) {
        unwatch(entry);
        onExpired(entry);
      }
    });
    return { sends, cancel };
  };

  const latestBatch = (): ExpiryBatch => {
    if (latest !== undefined) return latest;
    const batch = openBatch(times.queue_ms + batchMs);
    latest = batch;
    after(batchMs, () => {
      latest = undefined;
      if (batch.sends.size === 0) batch.cancel();
    });
    return batch;
  };

  const unwatch = (entry: QueuedSend): void => {
    const { batch } = entry;
    if (batch === undefined) return;
    entry.batch = undefined;
    batch.sends.delete(entry);
    if (batch.sends.size === 0 && batch !== latest) batch.cancel();
  };

  return {
    /** A send that is watched already keeps its time. `ms`: less than the full time. */
    watch: (entry: QueuedSend, ms?: number): void => {
      entry.batch ??= ms === undefined ? latestBatch() : openBatch(Math.min(times.queue_ms, ms));
      entry.batch.sends.add(entry);
    },
    unwatch,
  };
}
