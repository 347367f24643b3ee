import { type ActionCall, BridgeError, type EffectClass, type Question } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import type { Permit } from '../grants/gatekeeper.ts';
import { effectOfPrimitive, type WeighedCall } from '../grants/primitive-effect.ts';
import { type EarlyPress, prepareEarly } from '../primitives/early-press.ts';
import type { Desk } from './desk.ts';
import { entryOf } from './entry.ts';
import type { OriginPin, PinnedTurn } from './origin-pin.ts';
import { askUntilSame } from './same-purpose.ts';

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

export function createPermission(call: ActionCall, desk: Desk, turn: PinnedTurn): Permission {
  const { gatekeeper, host } = desk;
  const { pin } = turn;
  let granted: EffectClass | undefined;
  let refusal: BridgeError | undefined;

  const ask = async (effect: EffectClass): Promise<void> => {
    turn.doing('waiting for permission');
    const permit = await gatekeeper.permit(entryOf(call, { effect }, desk, turn), turn.cancellation);
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
    const { cancellation } = turn;
    let early: EarlyPress | undefined;
    const prepareAndWeigh = (content: boolean) => {
      early?.drop();
      early =
        granted === 'read' ? undefined : prepareEarly(name, args, { host, origin, cancellation, content });
      return effectOfPrimitive(primitive, args, host, { content, prepared: early?.purpose });
    };
    try {
      const weight = await prepareAndWeigh(false);
      if (weight.effect === 'act' && granted === 'read') {
        await ask('act');
        pin.check();
        return await weigh(name, args);
      }
      if (weight.effect !== 'irreversible' && weight.form === undefined) return early;
      await askUntilSame(await prepareAndWeigh(true), {
        name,
        now: () => desk.clock.now(),
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
    weight: WeighedCall,
    changed: Question['changed'],
  ): Promise<Permit> => {
    turn.doing('waiting for permission');
    const pressing = { ...call, arguments: { ...call.arguments, step } };
    const entry = entryOf(pressing, { ...weight, ...(changed && { changed }) }, desk, turn);
    return gatekeeper.permit(entry, turn.cancellation);
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
