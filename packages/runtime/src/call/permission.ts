import { type ActionCall, BridgeError, type EffectClass, type Question } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import type { ElementContext } from '../grants/element-context.ts';
import type { PermissionRequest, Permit } from '../grants/gatekeeper.ts';
import { orderOnPage } from '../grants/page-order.ts';
import { type ClassifiedCall, effectOfPrimitive, maySendForm } from '../grants/primitive-effect.ts';
import { type GuardedPress, preparePress, presses, releaseUntaken } from '../primitives/guarded-press.ts';
import type { CallContext, OriginPin, PinnedDeadline } from './call-context.ts';
import { entryOf } from './call-context.ts';
import { type FormAsking, isHeardByPage } from './held-forms.ts';
import { askUntilSame } from './same-element-context.ts';

/** A tool of a map names no element; a question about it has amounts and goods of its page. */
const NO_ELEMENT = { submits: false, sensitive: false, secret: false } as const;

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
  ) => Promise<GuardedPress | undefined>;
  /** Whether the last step was permitted to send a form. */
  readonly maySend: () => boolean;
  /** Context of the element that the last step was permitted to press, if any. */
  readonly shown: () => ElementContext | undefined;
  /** Asks about a form that the page sends because of a step. */
  readonly askingFor: (name: string, args: Readonly<Record<string, unknown>>) => FormAsking;
  /** Why the call was stopped, if it was: no later step runs, whatever the workflow does about errors. */
  readonly refusal: () => BridgeError | undefined;
}

export function createPermission(
  call: ActionCall,
  callContext: CallContext,
  deadline: PinnedDeadline,
): Permission {
  const { gatekeeper, host, heldForms, offered } = callContext;
  const { pin } = deadline;
  let granted: EffectClass | undefined;
  let refusal: BridgeError | undefined;
  let maySend = false;
  let permitted: ElementContext | undefined;

  const ask = async (effect: EffectClass): Promise<void> => {
    deadline.doing('waiting for permission');
    const order = effect === 'irreversible' ? await orderOnPage(host, deadline.signal) : undefined;
    const elementContext = order && { ...NO_ELEMENT, content: order };
    const entry = entryOf(call, { effect, ...(elementContext && { elementContext }) }, callContext, deadline);
    const permit = await gatekeeper.permit(entry, deadline.signal);
    permit.storeGrant?.();
    granted = effect;
  };
  const classifyAndAsk = async (
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<GuardedPress | undefined> => {
    const primitive = primitiveByName(name);
    maySend = granted === 'irreversible';
    permitted = undefined;
    if (primitive === undefined || maySend) return undefined;
    if (isHeardByPage(primitive) && granted !== 'read') heldForms.raise(call.call_id);
    const { origin } = pin;
    let prepared: GuardedPress | undefined;
    const look = async (content: boolean): Promise<ClassifiedCall> => {
      await releaseUntaken(prepared, host);
      prepared =
        granted !== 'read' && presses(name, host)
          ? await preparePress(name, args, { host, origin, content })
          : undefined;
      return effectOfPrimitive(primitive, args, host, { content, prepared, offered });
    };
    try {
      const classified = await look(false);
      if (classified.effect === 'act' && granted === 'read') {
        await ask('act');
        pin.check();
        return await classifyAndAsk(name, args);
      }
      if (!maySendForm(classified)) return prepared;
      await heldForms.lift();
      await askUntilSame(await look(true), {
        name,
        now: () => callContext.clock.now(),
        look: () => look(true),
        async ask(shown, changed) {
          // The page may change while a person decides, and the person may use it.
          await releaseUntaken(prepared, host);
          const permit = await askAbout({ step: name, ...args }, shown, changed);
          pin.check();
          permitted = shown.elementContext;
          return permit;
        },
      });
      maySend = true;
      return prepared;
    } catch (error) {
      await releaseUntaken(prepared, host);
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
    return gatekeeper.permit(entryFor(step, { ...classified, ...(changed && { changed }) }), deadline.signal);
  };
  const entryFor = (
    step: ActionCall['arguments'],
    classified: ClassifiedCall & Pick<Question, 'changed'>,
  ): PermissionRequest =>
    entryOf({ ...call, arguments: { ...call.arguments, step } }, classified, callContext, deadline);
  const stopping = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      pin.check();
      const result = await work();
      pin.check();
      return result;
    } catch (error) {
      if (error instanceof BridgeError && STOPS.has(error.code)) refusal = error;
      throw error;
    }
  };

  return {
    ask,
    refusal: () => refusal,
    maySend: () => maySend,
    shown: () => permitted,
    async askForStep(name, args) {
      if (refusal !== undefined) throw refusal;
      return stopping(() => classifyAndAsk(name, args));
    },
    askingFor(name, args) {
      const step = { step: name, ...args };
      return {
        hasGrant: (form) => gatekeeper.hasGrant(entryFor(step, form)),
        ask: (form, changed) => stopping(() => askAbout(step, form, changed)),
      };
    },
  };
}

const STOPS: ReadonlySet<string> = new Set(['permission_denied', 'state_mismatch']);

/** For a tool whose map is trusted: its declared effect class covers the steps while the tab stays at its origin. */
export function withoutStepQuestions(permission: Permission, pin: OriginPin): Permission {
  let refusal: BridgeError | undefined;
  return {
    ask: permission.ask,
    maySend: () => true,
    shown: () => undefined,
    askingFor: permission.askingFor,
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
