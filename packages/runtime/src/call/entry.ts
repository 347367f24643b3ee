import type { ActionCall } from '@drawbridge/protocol';
import type { Entry } from '../grants/gatekeeper.ts';
import type { Desk } from './desk.ts';
import type { OriginPin } from './origin-pin.ts';
import type { Turn } from './turn.ts';

/** What the gatekeeper is told of a call: all of it, so that an answer counts for this one and no other. */
export function entryOf(
  call: ActionCall,
  weight: Pick<Entry, 'effect' | 'purpose'>,
  { runtimeId, host }: Desk,
  turn: Turn,
  { origin }: OriginPin,
): Entry {
  return {
    runtime_id: runtimeId,
    runtime_key: host.runtimeKey,
    call_id: call.call_id,
    origin,
    name: call.name,
    arguments: call.arguments,
    remainingMs: turn.remainingMs(),
    ...weight,
  };
}
