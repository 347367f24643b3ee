import type { Cancellation } from '@drawbridge/manifest';
import { type ActionCall, BridgeError, type Question } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { KnownPrimitive } from '@drawbridge/protocol/primitives';
import { type ClassifiedCall, effectOfPrimitive, maySendForm } from '../grants/primitive-effect.ts';
import { higherClass } from '../grants/tool-effect.ts';
import { prepareEarly } from '../primitives/early-press.ts';
import { checkPrimitive, runChecked } from '../primitives/run-primitive.ts';
import type { CallContext } from './call-context.ts';
import { entryOf } from './entry.ts';
import { type HeldOutcome, isHeardByPage, isWait } from './held-forms.ts';
import type { PinnedDeadline } from './origin-pin.ts';
import { askUntilSame } from './same-element-context.ts';

export async function callOnePrimitive(
  call: ActionCall,
  primitive: KnownPrimitive,
  callContext: CallContext,
  deadline: PinnedDeadline,
): Promise<unknown> {
  const { host, gatekeeper, clock, stores, heldForms } = callContext;
  const { cancellation, pin } = deadline;
  const args = checkPrimitive(primitive, call.arguments, host.kind);
  const { origin } = pin;
  deadline.doing('reading what the call is about');
  const mayAct = gatekeeper.hasGrant(entryOf(call, { effect: 'act' }, callContext, deadline));
  const isHeard = isHeardByPage(primitive);
  if (isHeard && mayAct) heldForms.raise(call.call_id);
  const prepare = (content = false) => prepareEarly(call.name, args, { host, cancellation, origin, content });
  let early: ReturnType<typeof prepare>;
  const ask = async (asked: ClassifiedCall, changed?: Question['changed']) => {
    early?.drop();
    deadline.doing('waiting for permission');
    const entry = entryOf(call, { ...asked, ...(changed && { changed }) }, callContext, deadline);
    const permit = await gatekeeper.permit(entry, cancellation);
    requireGoingOn(cancellation);
    pin.check();
    return permit;
  };
  const classify = () => {
    early = mayAct ? prepare() : undefined;
    return effectOfPrimitive(primitive, args, host, { prepared: early?.elementContext });
  };
  try {
    const classified = await classify().catch(async (error: unknown) => {
      await callContext.addresses.requireIframe(error, call, deadline);
      return classify();
    });
    let isPermitted = maySendForm(classified);
    if (!gatekeeper.hasGrant(entryOf(call, classified, callContext, deadline))) {
      // The page may change while a person decides, so the prepared press is dropped.
      early?.drop();
      await heldForms.lift();
      const { effect } = classified;
      const shown = await effectOfPrimitive(primitive, args, host, { content: true });
      isPermitted ||= maySendForm(shown);
      await askUntilSame(
        { ...shown, effect: higherClass(effect, shown.effect) },
        {
          name: call.name,
          now: () => clock.now(),
          ask,
          // Reuses the round trip that prepares the press, so the page cannot change between the two.
          look() {
            early = prepare(true);
            return effectOfPrimitive(primitive, args, host, {
              content: true,
              prepared: early?.elementContext,
            });
          },
        },
      );
    }
    requireGoingOn(cancellation);
    pin.check();
    deadline.doing(call.name);
    const requireAddress = async (url: string) => callContext.addresses.require(url, call, deadline);
    const context = { host, cancellation, clock, origin, stores, requireAddress, ...(early && { early }) };
    const run = () => runChecked(primitive, args, context);
    if (!isHeard && !isWait(primitive)) return await run();
    const hasGrant = (form: ClassifiedCall) =>
      gatekeeper.hasGrant(entryOf(call, form, callContext, deadline));
    const act = {
      callId: call.call_id,
      name: call.name,
      isPermitted,
      cancellation,
      asking: { hasGrant, ask },
    };
    const { url } = host.surface();
    const outcome = isHeard ? heldForms.during(act, run) : heldForms.afterWait(act, run);
    return withArrival(await outcome, url);
  } finally {
    early?.drop();
    heldForms.abandon(call.call_id);
  }
}

/** The effect that the act reports includes the form that was sent because of it. */
function withArrival({ output, arrived }: HeldOutcome<unknown>, from: string): unknown {
  if (arrived === undefined || !isObject(output) || !isObject(output['effect'])) return output;
  const url = { from, to: arrived.url };
  return { ...output, effect: { ...output['effect'], happened: true, navigation: 'document', url } };
}

function requireGoingOn({ cancelled }: Cancellation): void {
  if (cancelled) throw new BridgeError('cancelled', 'The call was over before it was permitted.');
}
