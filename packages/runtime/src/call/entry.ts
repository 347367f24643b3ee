import type { ActionCall } from '@drawbridge/protocol';
import type { Entry } from '../grants/gatekeeper.ts';
import type { Desk } from './desk.ts';
import type { PinnedTurn } from './origin-pin.ts';

/** The gatekeeper gets the whole call, so that an answer counts for this call and no other. */
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
    // A frame of another site is asked about, and granted, under its own origin.
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
