import { hash } from 'node:crypto';

export interface HashedEvent {
  readonly session_id: string;
  readonly sequence: number;
  readonly event_id: string;
  readonly type: string;
  readonly at: number;
  readonly message_id: string | null;
  /** The stored text of the payload: two texts of one value have two hashes. */
  readonly payload: string;
}

/** The hash before a session's first event. */
export const FIRST_PREV_HASH = '0'.repeat(64);

/** Each event's hash covers the one before it, so a changed, lost or moved row breaks the chain. */
export function eventHash(prevHash: string, event: HashedEvent): string {
  const { session_id, sequence, event_id, type, at, message_id, payload } = event;
  return hash(
    'sha256',
    JSON.stringify([prevHash, session_id, sequence, event_id, type, at, message_id, payload]),
  );
}

/** Tells a retry from another send under the same id (CHT-144), whatever the order of keys. */
export function identityHash(identity: unknown): string {
  return hash('sha256', JSON.stringify(identity, sortedKeys));
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  let last = '';
  for (const key of Object.keys(value)) {
    if (key < last) return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
    last = key;
  }
  // Most objects are sorted, and copying each would cost a tenth of a send's garbage.
  return value;
}
