import type { Ledger, SessionRecord } from '@drawbridge/ledger';
import type { SessionSummary } from '@drawbridge/protocol/http';
import type { Identity } from '../../core/ports.ts';
import { maySeeSession } from '../guard/permission.ts';

const SHOWN = ['agent_type', 'agent_name', 'machine_label', 'workspace_path'];

export function summaryOf(session: SessionRecord): SessionSummary {
  const { session_id, head, oldest, created_at, closed_at, metadata } = session;
  const [name = session_id] = [metadata['display_name'], metadata['agent_name']].filter(isName);
  return {
    session_id,
    name,
    status: statusOf(session),
    head,
    events: head - oldest + 1,
    created_at,
    closed_at,
    ...Object.fromEntries(SHOWN.map((key) => [key, metadata[key]]).filter(([, value]) => isName(value))),
  };
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * A proxy that disconnects leaves `disconnected` in the metadata of its sessions, also when the relay ended
 * first.
 */
function statusOf({ closed_at, metadata }: SessionRecord): SessionSummary['status'] {
  if (closed_at !== null) return 'closed';
  return metadata['status'] === 'disconnected' ? 'disconnected' : 'connected';
}

/** Undefined for a missing session, and for one that this device may not see (CHT-92). */
export async function seenSession(
  ledger: Ledger,
  identity: Identity,
  session_id: string,
): Promise<SessionRecord | undefined> {
  const session = await ledger.session(session_id);
  return session && maySeeSession(identity, session_id, session.proxy_device_id) ? session : undefined;
}

/** Newest first. */
export async function seenSessions(ledger: Ledger, identity: Identity): Promise<readonly SessionSummary[]> {
  const heads = await ledger.heads();
  const found = await Promise.all(heads.map(({ session_id }) => seenSession(ledger, identity, session_id)));
  return found
    .filter((session) => session !== undefined)
    .map(summaryOf)
    .toReversed();
}
