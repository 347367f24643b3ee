import { type ActionCall, BridgeError, type EffectClass, type Question } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import type { Permit } from '../grants/gatekeeper.ts';
import { type ClassifiedCall, effectOfPrimitive } from '../grants/primitive-effect.ts';
import { type EarlyPress, prepareEarly } from '../primitives/early-press.ts';
import type { CallContext } from './call-context.ts';
import { entryOf } from './entry.ts';
import type { OriginPin, PinnedDeadline } from './origin-pin.ts';
import { askUntilSame } from './same-element-context.ts';

/** Permissions of one call of a declared tool, from its start to its end. */
export interface Permission {
  readonly ask: (effect: EffectClass) => Promise<void>;
  /**
   * Asks for a step whose press has a higher effect class than its tool declares. The press is limited to the
   * element that was classified.
   */
  readonly askForStep: (
    name: string,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<EarlyPress | undefined>;
  /** Why the call was stopped, if it was: no later step runs, whatever the workflow does about errors. */
  readonly refusal: () => BridgeError | undefined;
}

export function createPermission(
  call: ActionCall,
  callContext: CallContext,
  deadline: PinnedDeadline,
): Permission {
  const { gatekeeper, host } = callContext;
  const { pin } = deadline;
  let granted: EffectClass | undefined;
  let refusal: BridgeError | undefined;

  const ask = async (effect: EffectClass): Promise<void> => {
    deadline.doing('waiting for permission');
    const permit = await gatekeeper.permit(
      entryOf(call, { effect }, callContext, deadline),
      deadline.cancellation,
    );
    permit.keep?.();
    granted = effect;
  };
  const weigh = async (
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<EarlyPress | undefined> => {
    const primitive = primitiveByName(name);
    if (primitive === undefined || granted === 'irreversible') return undefined;
    const { origin } = pin;
    const { cancellation } = deadline;
    let early: EarlyPress | undefined;
    const prepareAndWeigh = (content: boolean) => {
      early?.drop();
      early =
        granted === 'read' ? undefined : prepareEarly(name, args, { host, origin, cancellation, content });
      return effectOfPrimitive(primitive, args, host, { content, prepared: early?.elementContext });
    };
    try {
      const classified = await prepareAndWeigh(false);
      if (classified.effect === 'act' && granted === 'read') {
        await ask('act');
        pin.check();
        return await weigh(name, args);
      }
      if (classified.effect !== 'irreversible' && classified.form === undefined) return early;
      await askUntilSame(await prepareAndWeigh(true), {
        name,
        now: () => callContext.clock.now(),
        look: () => prepareAndWeigh(true),
        async ask(shown, changed) {
          // The page may change while a person decides, so the prepared press is dropped.
          early?.drop();
          const permit = await askAbout({ step: name, ...args }, shown, changed);
          pin.check();
          return permit;
        },
      });
      return early;
    } catch (error) {
      early?.drop();
      throw error;
    }
  };
  /** One approval covers one press and names its element; the next press asks again. */
  const askAbout = async (
    step: ActionCall['arguments'],
    classified: ClassifiedCall,
    changed: Question['changed'],
  ): Promise<Permit> => {
    deadline.doing('waiting for permission');
    const pressing = { ...call, arguments: { ...call.arguments, step } };
    const entry = entryOf(pressing, { ...classified, ...(changed && { changed }) }, callContext, deadline);
    return gatekeeper.permit(entry, deadline.cancellation);
  };

  return {
    ask,
    refusal: () => refusal,
    async askForStep(name, args) {
      if (refusal !== undefined) throw refusal;
      try {
        pin.check();
        const early = await weigh(name, args);
        pin.check();
        return early;
      } catch (error) {
        if (error instanceof BridgeError && STOPS.has(error.code)) refusal = error;
        throw error;
      }
    },
  };
}

const STOPS: ReadonlySet<string> = new Set(['permission_denied', 'state_mismatch']);

/** For a tool whose map is trusted: its declared effect class covers the steps while the tab stays at its origin. */
export function trustingSteps(permission: Permission, pin: OriginPin): Permission {
  let refusal: BridgeError | undefined;
  return {
    ask: permission.ask,
    refusal: () => refusal,
    async askForStep() {
      if (refusal !== undefined) throw refusal;
      try {
        pin.check();
        return undefined;
      } catch (error) {
        if (error instanceof BridgeError) refusal = error;
        throw error;
      }
    },
  };
}
