import type { Cancellation } from '@drawbridge/manifest';
import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import type { KnownPrimitive } from '@drawbridge/protocol/primitives';
import { effectOfPrimitive } from '../grants/primitive-effect.ts';
import { heavier } from '../grants/tool-effect.ts';
import { prepareEarly } from '../primitives/early-press.ts';
import { checkPrimitive, runChecked } from '../primitives/run-primitive.ts';
import type { Desk } from './desk.ts';
import { entryOf } from './entry.ts';
import type { PinnedTurn } from './origin-pin.ts';
import { askUntilSame } from './same-purpose.ts';

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
  const prepare = (content = false) => prepareEarly(call.name, args, { host, cancellation, origin, content });
  let early: ReturnType<typeof prepare>;
  const weigh = () => {
    early = mayAct ? prepare() : undefined;
    return effectOfPrimitive(primitive, args, host, { prepared: early?.purpose });
  };
  try {
    const weight = await weigh().catch(async (error: unknown) => {
      await desk.addresses.requireFrame(error, call, turn);
      return weigh();
    });
    if (!gatekeeper.stands(entryOf(call, weight, desk, turn))) {
      // The page may change while a person decides, so the prepared press is dropped.
      early?.drop();
      const { effect } = weight;
      const shown = await effectOfPrimitive(primitive, args, host, { content: true });
      await askUntilSame(
        { ...shown, effect: heavier(effect, shown.effect) },
        {
          name: call.name,
          now: () => clock.now(),
          async ask(asked, changed) {
            early?.drop();
            turn.doing('waiting for permission');
            const entry = entryOf(call, { ...asked, ...(changed && { changed }) }, desk, turn);
            const permit = await gatekeeper.permit(entry, cancellation);
            requireGoingOn(cancellation);
            pin.check();
            return permit;
          },
          // Reuses the round trip that prepares the press, so the page cannot change between the two.
          look() {
            early = prepare(true);
            return effectOfPrimitive(primitive, args, host, { content: true, prepared: early?.purpose });
          },
        },
      );
    }
    requireGoingOn(cancellation);
    pin.check();
    turn.doing(call.name);
    const requireAddress = async (url: string) => desk.addresses.require(url, call, turn);
    const context = { host, cancellation, clock, origin, stores, requireAddress, ...(early && { early }) };
    return await runChecked(primitive, args, context);
  } finally {
    early?.drop();
  }
}

function requireGoingOn({ cancelled }: Cancellation): void {
  if (cancelled) throw new BridgeError('cancelled', 'The call was over before it was permitted.');
}
