import type { WaitingMessage } from '../ledger/records.ts';
import type { Base } from './base.ts';
import type { Delivery } from './delivery.ts';
import { FAILURES, type Settlements } from './settlements.ts';

/** CHT-157: sends that waited too long, by a clock that does not jump. */
export interface Expiry {
  /** It could not leave at once. */
  readonly watch: (session_id: string, client_message_id: string) => void;
  /** CHT-158: another relay took it while its session seemed to be there, and it is not. */
  readonly hurry: (session_id: string, client_message_id: string) => void;
  readonly settled: (session_id: string, client_message_id: string) => void;
  /** What waited when the relay started has what remains, and never more than the whole. */
  readonly restore: (message: WaitingMessage) => void;
}

/** Sends that began to wait at about the same time: a timer each would be most of what a waiting one costs. */
interface Lot {
  readonly sends: Map<string, Pick<WaitingMessage, 'session_id' | 'client_message_id'>>;
  readonly callOff: () => void;
}

const LONGEST_LOT_MS = 1_000;
const LOTS = 1_000;

export function createExpiry(base: Base, delivery: Delivery, settlements: Settlements): Expiry {
  const { ledger, times } = base;
  const lotMs = Math.min(LONGEST_LOT_MS, times.queue_ms / LOTS);
  const watched = new Map<string, Lot>();
  /** Those of these milliseconds. */
  let latest: Lot | undefined;
  const keyOf = (session_id: string, client_message_id: string): string =>
    JSON.stringify([session_id, client_message_id]);

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
    const sends: Lot['sends'] = new Map();
    const callOff = base.after(ms, () => {
      for (const [key, { session_id, client_message_id }] of sends) {
        watched.delete(key);
        base.run(base.insist(() => expire(session_id, client_message_id)));
      }
    });
    return { sends, callOff };
  };

  const latestLot = (): Lot => {
    if (latest === undefined) {
      latest = openLot(times.queue_ms + lotMs);
      base.after(lotMs, () => {
        latest = undefined;
      });
    }
    return latest;
  };

  const put = (lot: Lot, session_id: string, client_message_id: string): void => {
    const key = keyOf(session_id, client_message_id);
    lot.sends.set(key, { session_id, client_message_id });
    watched.set(key, lot);
  };

  return {
    watch: (session_id, client_message_id) => put(latestLot(), session_id, client_message_id),
    hurry: (session_id, client_message_id) =>
      base.run(base.insist(() => failIfHurried(session_id, client_message_id))),
    settled: (session_id, client_message_id) => {
      if (watched.size === 0) return;
      const key = keyOf(session_id, client_message_id);
      const lot = watched.get(key);
      if (lot === undefined) return;
      watched.delete(key);
      lot.sends.delete(key);
      if (lot.sends.size === 0 && lot !== latest) lot.callOff();
    },
    restore: ({ session_id, client_message_id, expires_at }) => {
      const rest = Math.max(0, (expires_at ?? 0) - base.now());
      put(openLot(Math.min(times.queue_ms, rest)), session_id, client_message_id);
    },
  };
}
