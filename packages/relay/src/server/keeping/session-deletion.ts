import type { Bus, CoreClock, Identity, RelayEvent } from '../../core/ports.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SessionRecord } from '../../ledger/records.ts';
import type { Audit } from '../../ledger/writes.ts';
import { summaryOf } from './session-summary.ts';

export interface DeletionPorts {
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
}

/** `connected`: its agent still speaks, and would bring back half of it. */
export type Deletion = 'deleted' | 'connected' | 'unknown';

export async function deleteSession(
  { ledger, bus, clock, id }: DeletionPorts,
  session: SessionRecord,
  by: Identity,
): Promise<Deletion> {
  const { session_id, closed_at } = session;
  const { name, status, events } = summaryOf(session);
  if (status === 'connected') return 'connected';
  const at = clock.now();
  const audit: Audit = {
    do: 'audit',
    entry: {
      at,
      device_id: by.device_id,
      action: 'session_deleted',
      subject: session_id,
      detail: { name, events },
    },
  };
  if (closed_at === null) {
    // Told as another relay of this ledger would tell it: the core lets go of the session, and every screen hears it.
    const said = { event_id: id('evt'), type: 'session_closed', payload: { reason: 'user_requested' } };
    const outcome = await ledger.commit([
      { do: 'append_event', session_id, ...said, at },
      { do: 'update_session', session_id, closed_at: at },
      audit,
    ]);
    if (!outcome.committed) return 'unknown';
    const { sequence } = outcome.results[0];
    const event: RelayEvent = { session_id, ...said, sequence, at, message_id: null };
    bus.publish({ kind: 'appended', session_id, events: [event] });
  } else await ledger.commit([audit]);
  return (await ledger.deleteSession(session_id)) ? 'deleted' : 'unknown';
}
