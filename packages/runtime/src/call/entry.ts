import type { ActionCall } from '@drawbridge/protocol';
import type { PermissionRequest } from '../grants/gatekeeper.ts';
import type { CallContext } from './call-context.ts';
import type { PinnedDeadline } from './origin-pin.ts';

/** The gatekeeper gets the whole call, so that an answer counts for this call and no other. */
export function entryOf(
  call: ActionCall,
  classified: Pick<PermissionRequest, 'effect' | 'elementContext' | 'form' | 'changed'>,
  { runtimeId, host }: CallContext,
  { pin, remainingMs }: PinnedDeadline,
): PermissionRequest {
  const { effect, elementContext, form, changed } = classified;
  return {
    runtime_id: runtimeId,
    runtime_key: host.runtimeKey,
    call_id: call.call_id,
    // A frame of another site is asked about, and granted, under its own origin.
    origin: elementContext?.origin ?? pin.origin,
    page: { title: host.surface().title, origin: pin.origin },
    name: call.name,
    arguments: call.arguments,
    remainingMs: remainingMs(),
    effect,
    ...(elementContext && { elementContext }),
    ...(form !== undefined && { form }),
    ...(changed && { changed }),
  };
}
