import type { ActionCall } from '@drawbridge/protocol';
import type { Entry } from '../grants/gatekeeper.ts';
import type { Desk } from './desk.ts';
import type { PinnedTurn } from './origin-pin.ts';

/** What the gatekeeper is told of a call: all of it, so that an answer counts for this one and no other. */
export function entryOf(
  call: ActionCall,
  weight: Pick<Entry, 'effect' | 'purpose' | 'form' | 'changed'>,
  { runtimeId, host }: Desk,
  { pin, remainingMs }: PinnedTurn,
): Entry {
  const { effect, purpose, form, changed } = weight;
  return {
    runtime_id: runtimeId,
    runtime_key: host.runtimeKey,
    call_id: call.call_id,
    // A frame of another site is asked about, and granted, as what it is.
    origin: purpose?.origin ?? pin.origin,
    page: { title: host.surface().title, origin: pin.origin },
    name: call.name,
    arguments: call.arguments,
    remainingMs: remainingMs(),
    effect,
    ...(purpose && { purpose }),
    ...(form !== undefined && { form }),
    ...(changed && { changed }),
  };
}
