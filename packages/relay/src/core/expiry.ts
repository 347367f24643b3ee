import type { WaitingMessage } from '../ledger/records.ts';
import type { Base } from './base.ts';
import type { Delivery } from './delivery.ts';
import { FAILURES, type Settlements } from './settlements.ts';

/** CHT-157: fails sends that waited too long, by a monotonic clock. */
export interface Expiry {
  /** The send could not be forwarded at once. */
  readonly watch: (session_id: string, client_message_id: string) => void;
  /** CHT-158: another node accepted the send while its session seemed connected, and it is not. */
  readonly hurry: (session_id: string, client_message_id: string) => void;
  readonly settled: (session_id: string, client_message_id: string) => void;
  /** A send queued before the start gets its remaining time, at most the full time. */
  readonly restore: (message: WaitingMessage) => void;
}

/** A batch of sends queued at about the same time, because a timer per send dominates its memory cost. */
interface Lot {
  readonly sessions: Set<string>;
  size: number;
  readonly callOff: () => void;
}

const LONGEST_LOT_MS = 1_000;
const LOTS = 1_000;

export function createExpiry(base: Base, delivery: Delivery, settlements: Settlements): Expiry {
  const { ledger, times } = base;
  const lotMs = Math.min(LONGEST_LOT_MS, times.queue_ms / LOTS);
  /** By session, then by send: a combined key would be one more string per send. */
  const watched = new Map<string, Map<string, Lot>>();
  /** The batch that new sends join. */
  let latest: Lot | undefined;

  const expire = async (session_id: string, client_message_id: string): Promise<void> => {
    const message = await ledger.message(session_id, client_message_id);
    if (message === undefined || !delivery.withhold(message)) return;
    const { attempt } = message;
    await settlements.settle(session_id, client_message_id, { ...FAILURES.expired, attempt });
  };

  const failIfHurried = async (session_id: string, client_message_id: string): Promise<void> => {
    const message = await ledger.message(session_id, client_message_id);
    if (message === undefined || message.payload['queue'] !== false || !delivery.withhold(message)) return;
    const { attempt } = message;
    await settlements.settle(session_id, client_message_id, { ...FAILURES.away, attempt });
  };

  const openLot = (ms: number): Lot => {
    const callOff = base.after(ms, () => {
      for (const session_id of lot.sessions) {
        for (const [client_message_id, its] of watched.get(session_id) ?? []) {
          if (its !== lot) continue;
          unwatch(session_id, client_message_id);
          base.run(base.insist(() => expire(session_id, client_message_id)));
        }
      }
    });
    const lot: Lot = { sessions: new Set(), size: 0, callOff };
    return lot;
  };

  const latestLot = (): Lot => {
    if (latest !== undefined) return latest;
    const lot = openLot(times.queue_ms + lotMs);
    latest = lot;
    base.after(lotMs, () => {
      latest = undefined;
      if (lot.size === 0) lot.callOff();
    });
    return lot;
  };

  const put = (lot: Lot, session_id: string, client_message_id: string): void => {
    unwatch(session_id, client_message_id);
    lot.sessions.add(session_id);
    lot.size += 1;
    const lots = watched.get(session_id);
    if (lots === undefined) watched.set(session_id, new Map([[client_message_id, lot]]));
    else lots.set(client_message_id, lot);
  };

  const unwatch = (session_id: string, client_message_id: string): void => {
    const lots = watched.get(session_id);
    const lot = lots?.get(client_message_id);
    if (lots === undefined || lot === undefined) return;
    lots.delete(client_message_id);
    if (lots.size === 0) watched.delete(session_id);
    lot.size -= 1;
    if (lot.size === 0 && lot !== latest) lot.callOff();
  };

  return {
    watch: (session_id, client_message_id) => put(latestLot(), session_id, client_message_id),
    hurry: (session_id, client_message_id) =>
      base.run(base.insist(() => failIfHurried(session_id, client_message_id))),
    settled: unwatch,
    restore: ({ session_id, client_message_id, expires_at }) => {
      const rest = Math.max(0, (expires_at ?? 0) - base.now());
      put(openLot(Math.min(times.queue_ms, rest)), session_id, client_message_id);
    },
  };
}
