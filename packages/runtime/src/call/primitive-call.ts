import type { ActionCall } from '@drawbridge/protocol';
import type { PrimitiveSpec } from '@drawbridge/protocol/primitives';
import { effectOfPrimitive } from '../grants/primitive-effect.ts';
import { checkPrimitive, runPrimitive } from '../primitives/run-primitive.ts';
import type { Desk } from './desk.ts';
import { entryOf } from './entry.ts';
import { pinOrigin } from './origin-pin.ts';
import type { Turn } from './turn.ts';

/** A primitive that an agent calls by its name. */
export async function callOnePrimitive(
  call: ActionCall,
  primitive: PrimitiveSpec,
  desk: Desk,
  turn: Turn,
): Promise<unknown> {
  const { host, gatekeeper, clock, stores } = desk;
  const args = checkPrimitive(primitive, call.arguments, host.kind);
  const pin = pinOrigin(host, call.name);
  turn.doing('reading what the call is about');
  const weight = await effectOfPrimitive(primitive, args, host);
  turn.doing('waiting for permission');
  await gatekeeper.permit(entryOf(call, weight, desk, turn, pin), turn.cancellation);
  pin.check();
  turn.doing(call.name);
  const { cancellation } = turn;
  return runPrimitive(call.name, args, { host, cancellation, clock, origin: pin.origin, stores });
}
