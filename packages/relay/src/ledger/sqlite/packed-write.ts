import { identityHash } from '../event-hash.ts';
import type { JsonObject } from '../records.ts';
import type { AcceptMessage, AppendEvent, Write } from '../writes.ts';

/** JSON, or its text already. */
type Packable = JsonObject | string;

export interface PackableEvent extends Omit<AppendEvent, 'payload'> {
  readonly payload: Packable;
}

export interface PackableAccept extends Omit<AcceptMessage, 'payload' | 'identity' | 'event'> {
  readonly payload: Packable;
  /** Or its hash. */
  readonly identity: Packable;
  readonly event: { readonly event_id: string; readonly payload: Packable };
  /** 1 when it leaves in the transaction that accepts it. */
  readonly attempt?: number;
}

/** Its acceptance has counted the attempt. */
interface Forwarded {
  readonly do: 'forwarded';
}

/** A write as the ledger's thread takes it. */
export type PackableWrite =
  | Exclude<Write, AppendEvent | AcceptMessage>
  | PackableEvent
  | PackableAccept
  | Forwarded;

/** What there is most of crosses to the ledger's thread as the text that is stored: that thread is the first to have too much to do. */
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
  if (write.do === 'append_event') return { ...write, payload: packed(write.payload) };
  if (write.do !== 'accept_message') return write;
  const { payload, identity, event } = write;
  return {
    ...write,
    payload: packed(payload),
    identity: packedIdentity(identity),
    event: { event_id: event.event_id, payload: packed(event.payload) },
  };
}

export const packed = (value: Packable): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const packedIdentity = (identity: Packable): string =>
  typeof identity === 'string' ? identity : identityHash(identity);
