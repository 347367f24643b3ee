import { identityHash } from '../event-hash.ts';
import type { JsonObject } from '../records.ts';
import type { AcceptMessage, AppendEvent, Write } from '../writes.ts';

/** JSON, or its text. */
type Packable = JsonObject | string;

export interface PackableEvent extends Omit<AppendEvent, 'payload' | 'payload_text'> {
  readonly payload: Packable;
}

export interface PackableAccept
  extends Omit<AcceptMessage, 'payload' | 'payload_text' | 'identity' | 'event'> {
  readonly payload: Packable;
  /** The identity or its hash. */
  readonly identity: Packable;
  readonly event: { readonly event_id: string; readonly payload: Packable };
  /** 1 when the send is forwarded in the transaction that accepts it. */
  readonly attempt?: number;
}

/** Placeholder of a forward that the acceptance has counted. */
interface Forwarded {
  readonly do: 'forwarded';
}

/** A write in the form for the ledger's thread. */
export type PackableWrite =
  | Exclude<Write, AppendEvent | AcceptMessage>
  | PackableEvent
  | PackableAccept
  | Forwarded;

/** Serializes events and sends on the main thread, because the ledger's thread saturates first. */
export function packWrites(writes: readonly Write[]): readonly PackableWrite[] {
  const all = writes.map(packWrite);
  const [accept, said, forward, ...more] = all;
  if (accept?.do !== 'accept_message' || said?.do !== 'append_event' || forward?.do !== 'forward_message')
    return all;
  const { session_id, client_message_id } = accept;
  if (forward.session_id !== session_id || forward.client_message_id !== client_message_id) return all;
  return [{ ...accept, attempt: 1 }, said, { do: 'forwarded' }, ...more];
}

function packWrite(write: Write): PackableWrite {
  if (write.do === 'append_event') {
    const { payload_text, ...event } = write;
    return { ...event, payload: payload_text ?? JSON.stringify(write.payload) };
  }
  if (write.do !== 'accept_message') return write;
  const { payload, payload_text, identity, event, ...rest } = write;
  return {
    ...rest,
    payload: payload_text ?? JSON.stringify(payload),
    identity: identityHash(identity),
    event: { event_id: event.event_id, payload: JSON.stringify(event.payload) },
  };
}

export const packed = (value: Packable): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const packedIdentity = (identity: Packable): string =>
  typeof identity === 'string' ? identity : identityHash(identity);
