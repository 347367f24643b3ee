import type { WaitingMessage } from '../ledger/records.ts';
import type { CoreContext } from './core-context.ts';
import type { Delivery } from './delivery.ts';
import { FAILURES, type SendOutcomes } from './send-outcomes.ts';

/** CHT-157: fails sends that waited too long, by a monotonic clock. */
export interface SendExpiry {
  /** The send could not be forwarded at once. */
  readonly watch: (session_id: string, client_message_id: string) => void;
  /** CHT-300: the send is in doubt. A send that is watched already keeps its time. */
  readonly hold: (session_id: string, client_message_id: string) => void;
  /** CHT-158: another node accepted the send while its session seemed connected, and it is not. */
  readonly failNow: (session_id: string, client_message_id: string) => void;
  readonly settled: (session_id: string, client_message_id: string) => void;
  /** A send queued before the start gets its remaining time, at most the full time. */
  readonly restore: (message: WaitingMessage) => void;
}

/** A batch of sends queued at about the same time, because a timer per send dominates its memory cost. */
interface Batch {
  readonly sessions: Set<string>;
  size: number;
  readonly cancel: () => void;
}

const MAX_BATCH_MS = 1_000;
const BATCHES = 1_000;

export function createSendExpiry(
  context: CoreContext,
  delivery: Delivery,
  outcomes: SendOutcomes,
): SendExpiry {
  const { ledger, times } = context;
  const batchMs = Math.min(MAX_BATCH_MS, times.queue_ms / BATCHES);
  /** By session, then by send: a combined key would be one more string per send. */
  const watched = new Map<string, Map<string, Batch>>();
  /** The batch that new sends join. */
  let latest: Batch | undefined;

  const expire = async (session_id: string, client_message_id: string): Promise<void> => {
    const message = await ledger.message(session_id, client_message_id);
    if (message === undefined) return;
    const { attempt } = message;
    if (delivery.removeUnsent(message))
      await outcomes.settle(session_id, client_message_id, { ...FAILURES.expired, attempt });
    else if (delivery.giveUp(message)) {
      await outcomes.settle(session_id, client_message_id, { ...FAILURES.lost, attempt });
      const stored = await ledger.message(session_id, client_message_id);
      // Forwarded again at the same time, so the outcome of this attempt was refused.
      if (stored?.attempt !== attempt) await expire(session_id, client_message_id);
    }
  };

  const failIfHurried = async (session_id: string, client_message_id: string): Promise<void> => {
    const message = await ledger.message(session_id, client_message_id);
    if (message === undefined || message.payload['queue'] !== false || !delivery.removeUnsent(message))
      return;
    const { attempt } = message;
    await outcomes.settle(session_id, client_message_id, { ...FAILURES.away, attempt });
  };

  const openBatch = (ms: number): Batch => {
    const cancel = context.after(ms, () => {
      for (const session_id of batch.sessions) {
        for (const [client_message_id, its] of watched.get(session_id) ?? []) {
          if (its !== batch) continue;
          unwatch(session_id, client_message_id);
          context.run(context.retryUntilStored(() => expire(session_id, client_message_id)));
        }
      }
    });
    const batch: Batch = { sessions: new Set(), size: 0, cancel };
    return batch;
  };

  const latestBatch = (): Batch => {
    if (latest !== undefined) return latest;
    const batch = openBatch(times.queue_ms + batchMs);
    latest = batch;
    context.after(batchMs, () => {
      latest = undefined;
      if (batch.size === 0) batch.cancel();
    });
    return batch;
  };

  const put = (batch: Batch, session_id: string, client_message_id: string): void => {
    unwatch(session_id, client_message_id);
    batch.sessions.add(session_id);
    batch.size += 1;
    const batches = watched.get(session_id);
    if (batches === undefined) watched.set(session_id, new Map([[client_message_id, batch]]));
    else batches.set(client_message_id, batch);
  };

  const unwatch = (session_id: string, client_message_id: string): void => {
    const batches = watched.get(session_id);
    const batch = batches?.get(client_message_id);
    if (batches === undefined || batch === undefined) return;
    batches.delete(client_message_id);
    if (batches.size === 0) watched.delete(session_id);
    batch.size -= 1;
    if (batch.size === 0 && batch !== latest) batch.cancel();
  };

  return {
    watch: (session_id, client_message_id) => put(latestBatch(), session_id, client_message_id),
    hold: (session_id, client_message_id) => {
      if (!watched.get(session_id)?.has(client_message_id)) put(latestBatch(), session_id, client_message_id);
    },
    failNow: (session_id, client_message_id) =>
      context.run(context.retryUntilStored(() => failIfHurried(session_id, client_message_id))),
    settled: unwatch,
    restore: ({ session_id, client_message_id, expires_at }) => {
      const rest = Math.max(0, (expires_at ?? 0) - context.now());
      put(openBatch(Math.min(times.queue_ms, rest)), session_id, client_message_id);
    },
  };
}
