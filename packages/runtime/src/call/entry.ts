import type { ActionCall } from '@drawbridge/protocol';
import type { Entry } from '../grants/gatekeeper.ts';
import type { Desk } from './desk.ts';
import type { PinnedTurn } from './origin-pin.ts';

/** What the gatekeeper is told of a call: all of it, so that an answer counts for this one and no other. */
export function entryOf(
  call: ActionCall,
  weight: Pick<Entry, 'effect' | 'purpose' | 'form'>,
  { runtimeId, host }: Desk,
  { pin, remainingMs }: PinnedTurn,
): Entry {
  return {
    runtime_id: runtimeId,
    runtime_key: host.runtimeKey,
    call_id: call.call_id,
    // A frame of another site is asked about, and granted, as what it is.
    origin: weight.purpose?.origin ?? pin.origin,
    name: call.name,
    arguments: call.arguments,
    remainingMs: remainingMs(),
    ...weight,
  };
}
