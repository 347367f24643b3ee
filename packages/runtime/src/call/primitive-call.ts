import { type ActionCall, BridgeError, type Question } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { KnownPrimitive } from '@drawbridge/protocol/primitives';
import { withHeldModifiers } from '../grants/chords.ts';
import { type ClassifiedCall, effectOfPrimitive, maySendForm } from '../grants/primitive-effect.ts';
import { higherClass } from '../grants/tool-effect.ts';
import { type GuardedPress, preparePress, presses, releaseUntaken } from '../primitives/guarded-press.ts';
import { withLocatedId } from '../primitives/located-press.ts';
import { checkPrimitive, runChecked } from '../primitives/run-primitive.ts';
import type { CallContext, PinnedDeadline } from './call-context.ts';
import { entryOf } from './call-context.ts';
import { callScope } from './call-scope.ts';
import { type HeldOutcome, isHeardByPage, isWait } from './held-forms.ts';
import { askUntilSame } from './same-element-context.ts';

export async function callOnePrimitive(
  call: ActionCall,
  primitive: KnownPrimitive,
  callContext: CallContext,
  deadline: PinnedDeadline,
): Promise<unknown> {
  const { host, gatekeeper, clock, stores, heldForms, offered } = callContext;
  const { call_id, name } = call;
  const { signal, pin } = deadline;
  const { origin } = pin;
  const checked = checkPrimitive(primitive, call.arguments, host.kind);
  const given =
    checked['locator'] === undefined ? checked : await withLocatedId(name, checked, { host, origin });
  const held = host.input?.heldModifiers() ?? [];
  const args = held.length === 0 ? given : withHeldModifiers(name, given, held);
  deadline.doing('reading what the call is about');
  const hasGrant = (classified: ClassifiedCall) =>
    gatekeeper.hasGrant(entryOf(call, classified, callContext, deadline));
  const mayAct = hasGrant({ effect: 'act' });
  const isHeard = isHeardByPage(primitive);
  if (isHeard && mayAct) heldForms.raise(call_id);
  let prepared: GuardedPress | undefined;
  /** Classifies the call on the page as it is now; where it may act, its press is prepared in the same call. */
  const look = async (content = false, mayPress = mayAct): Promise<ClassifiedCall> => {
    await releaseUntaken(prepared, host);
    prepared =
      mayPress && presses(name, host) ? await preparePress(name, args, { host, origin, content }) : undefined;
    return effectOfPrimitive(primitive, args, host, { content, prepared, offered });
  };
  const ask = async (asked: ClassifiedCall, changed?: Question['changed']) => {
    // The page may change while a person decides, and the person may use it.
    await releaseUntaken(prepared, host);
    deadline.doing('waiting for permission');
    const entry = entryOf(call, { ...asked, ...(changed && { changed }) }, callContext, deadline);
    const permit = await gatekeeper.permit(entry, signal);
    if (signal.aborted) throw overBefore();
    pin.check();
    return permit;
  };
  try {
    const classified = await look().catch(async (error: unknown) => {
      await callContext.addresses.requireIframe(error, call, deadline);
      return look();
    });
    let permitted = maySendForm(classified) ? classified : undefined;
    if (!hasGrant(classified)) {
      await heldForms.lift();
      const shown = await look(true);
      if (permitted !== undefined || maySendForm(shown)) permitted = shown;
      await askUntilSame(
        { ...shown, effect: higherClass(classified.effect, shown.effect) },
        { name, now: () => clock.now(), ask, look: () => look(true, true) },
      );
    }
    if (signal.aborted) throw overBefore();
    deadline.doing(name);
    const scope = callScope(call);
    const requireAddress = async (url: string) => {
      scope.require(url);
      await callContext.addresses.require(url, call, deadline);
    };
    const requireInspection = (keys: readonly string[]) =>
      callContext.inspectGate.require(keys, call, deadline);
    const own = { host, signal, clock, origin, stores, scope, requireAddress, requireInspection };
    const context = { ...own, ...(prepared && { prepared }) };
    // Starts before the page is left, and nothing waits for it.
    if (name === 'browser.navigate') void offered.keep(host);
    const run = () => runChecked(primitive, args, context);
    if (!isHeard && !isWait(primitive)) return await run();
    const isPermitted = permitted !== undefined;
    const shown = permitted?.elementContext;
    const act = { callId: call_id, name, isPermitted, shown, signal, asking: { hasGrant, ask } };
    const { url } = host.surface();
    const outcome = isHeard ? heldForms.during(act, run) : heldForms.afterWait(act, run);
    return withArrival(await outcome, url);
  } finally {
    await releaseUntaken(prepared, host);
    heldForms.abandon(call_id);
  }
}

/** The effect that the act reports includes the form that was sent because of it. */
function withArrival({ output, arrived }: HeldOutcome<unknown>, from: string): unknown {
  if (arrived === undefined || !isObject(output) || !isObject(output['effect'])) return output;
  const url = { from, to: arrived.url };
  return { ...output, effect: { ...output['effect'], happened: true, navigation: 'document', url } };
}

const overBefore = (): BridgeError =>
  new BridgeError('cancelled', 'The call was over before it was permitted.');
