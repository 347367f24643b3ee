import type { WaitingMessage } from '../ledger/records.ts';
import type { Base } from './base.ts';
import type { Delivery } from './delivery.ts';
import { FAILURES, type Settlements } from './settlements.ts';

/** CHT-157: sends that waited too long, by a clock that does not jump. */
export interface Expiry {
  /** It could not leave at once. */
  readonly watch: (session_id: string, client_message_id: string) => void;
  readonly settled: (session_id: string, client_message_id: string) => void;
  /** What waited when the relay started has what remains, and never more than the whole. */
  readonly restore: (message: WaitingMessage) => void;
}

export function createExpiry(base: Base, delivery: Delivery, settlements: Settlements): Expiry {
  const { ledger, times } = base;
  const watched = new Map<string, () => void>();
  const keyOf = (session_id: string, client_message_id: string): string =>
    JSON.stringify([session_id, client_message_id]);

  const expire = async (session_id: string, client_message_id: string): Promise<void> => {
    const message = await ledger.message(session_id, client_message_id);
    if (message === undefined || !delivery.waits(message)) return;
    const { attempt } = message;
    await settlements.settle(session_id, client_message_id, { ...FAILURES.expired, attempt });
  };

  const watchFor = (ms: number, session_id: string, client_message_id: string): void => {
    const key = keyOf(session_id, client_message_id);
    const callOff = base.after(ms, () => {
      watched.delete(key);
      base.run(base.insist(() => expire(session_id, client_message_id)));
    });
    watched.set(key, callOff);
  };

  return {
    watch: (session_id, client_message_id) => watchFor(times.queue_ms, session_id, client_message_id),
    settled: (session_id, client_message_id) => {
      if (watched.size === 0) return;
      const key = keyOf(session_id, client_message_id);
      watched.get(key)?.();
      watched.delete(key);
    },
    restore: ({ session_id, client_message_id, expires_at }) => {
      const rest = Math.max(0, (expires_at ?? 0) - base.now());
      watchFor(Math.min(times.queue_ms, rest), session_id, client_message_id);
    },
  };
}
