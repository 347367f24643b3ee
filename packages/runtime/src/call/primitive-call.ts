import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import type { KnownPrimitive } from '@drawbridge/protocol/primitives';
import { effectOfPrimitive } from '../grants/primitive-effect.ts';
import { prepareEarly } from '../primitives/early-press.ts';
import { checkPrimitive, runChecked } from '../primitives/run-primitive.ts';
import type { Desk } from './desk.ts';
import { entryOf } from './entry.ts';
import type { PinnedTurn } from './origin-pin.ts';
import { requireSame } from './same-purpose.ts';

/** A primitive that an agent calls by its name. */
export async function callOnePrimitive(
  call: ActionCall,
  primitive: KnownPrimitive,
  desk: Desk,
  turn: PinnedTurn,
): Promise<unknown> {
  const { host, gatekeeper, clock, stores } = desk;
  const { cancellation, pin } = turn;
  const args = checkPrimitive(primitive, call.arguments, host.kind);
  const { origin } = pin;
  turn.doing('reading what the call is about');
  const mayAct = gatekeeper.stands(entryOf(call, { effect: 'act' }, desk, turn));
  const prepare = () => prepareEarly(call.name, args, { host, cancellation, origin });
  let early = mayAct ? prepare() : undefined;
  try {
    const weight = await effectOfPrimitive(primitive, args, host, early?.purpose);
    const entry = entryOf(call, weight, desk, turn);
    const asks = !gatekeeper.stands(entry);
    if (asks) {
      // A person takes their time, and the page does not stand still meanwhile.
      early?.drop();
      turn.doing('waiting for permission');
      await gatekeeper.permit(entry, cancellation);
    }
    if (cancellation.cancelled)
      throw new BridgeError('cancelled', 'The call was over before it was permitted.');
    pin.check();
    if (asks) {
      // Weighed once more where the press is bound to what is weighed.
      early = prepare();
      requireSame(call.name, entry, await effectOfPrimitive(primitive, args, host, early?.purpose));
    }
    turn.doing(call.name);
    const context = { host, cancellation, clock, origin, stores, ...(early && { early }) };
    return await runChecked(primitive, args, context);
  } finally {
    early?.drop();
  }
}
