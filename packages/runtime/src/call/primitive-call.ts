import type { ActionCall } from '@drawbridge/protocol';
import type { PrimitiveSpec } from '@drawbridge/protocol/primitives';
import { effectOfPrimitive } from '../grants/primitive-effect.ts';
import { checkPrimitive, runPrimitive } from '../primitives/run-primitive.ts';
import type { Desk } from './desk.ts';
import { pinOrigin } from './origin-pin.ts';
import type { Turn } from './turn.ts';

/** A primitive that an agent calls by its name. */
export async function callOnePrimitive(
  call: ActionCall,
  primitive: PrimitiveSpec,
  desk: Desk,
  turn: Turn,
): Promise<unknown> {
  const { host, gatekeeper, runtimeId, clock, stores } = desk;
  const args = checkPrimitive(primitive, call.arguments, host.kind);
  const pin = pinOrigin(host, call.name);
  turn.doing('reading what the call is about');
  const { effect, purpose } = await effectOfPrimitive(primitive, args, host);
  turn.doing('waiting for permission');
  await gatekeeper.permit(
    {
      runtime_id: runtimeId,
      runtime_key: host.runtimeKey,
      call_id: call.call_id,
      origin: pin.origin,
      name: call.name,
      arguments: call.arguments,
      effect,
      remainingMs: turn.remainingMs(),
      ...(purpose && { purpose }),
    },
    turn.cancellation,
  );
  pin.check();
  turn.doing(call.name);
  const { cancellation } = turn;
  return runPrimitive(call.name, args, { host, cancellation, clock, origin: pin.origin, stores });
}
