import type { Clock } from '@drawbridge/base';
import type { HoldOrder, StoppedForm } from '@drawbridge/page/calls';
import { BridgeError, type Question } from '@drawbridge/protocol';
import type { PrimitiveSpec } from '@drawbridge/protocol/primitives';
import type { ElementContext } from '../grants/element-context.ts';
import type { Permit } from '../grants/gatekeeper.ts';
import { type ClassifiedCall, effectOfForm } from '../grants/primitive-effect.ts';
import { changesOf } from '../grants/question.ts';
import { DocumentLeft, type Surface, type SurfaceHost } from '../host.ts';
import { watchNavigation } from '../primitives/navigation-watch.ts';
import { askUntilSame } from './same-element-context.ts';

/** Keeps the page from sending forms by itself during acts that nobody permitted to send one. */
export interface HeldForms {
  /** Sent ahead of the act, without waiting: preparing a press may move the focus. */
  readonly raise: (callId: string) => void;
  /** Called before a question: the person may use the page while they decide. */
  readonly lift: () => Promise<void>;
  /** For a call that ends before its act. */
  readonly abandon: (callId: string) => void;
  /** Runs an act, then asks about a form that it made the page send. */
  readonly during: <Output>(act: HeldAct, run: () => Promise<Output>) => Promise<HeldOutcome<Output>>;
  /** Asks about a form that the page wanted to send after an earlier act: an agent waits for what it led to. */
  readonly afterWait: <Output>(act: HeldAct, wait: () => Promise<Output>) => Promise<HeldOutcome<Output>>;
}

export interface HeldAct {
  readonly callId: string;
  readonly name: string;
  /** Sending a form was asked about, or a grant covers it. */
  readonly isPermitted: boolean;
  /** Context of the permitted element, if there is one: the page may send nothing else than it shows. */
  readonly shown?: ElementContext | undefined;
  readonly signal: AbortSignal;
  readonly asking: FormAsking;
}

export interface FormAsking {
  readonly hasGrant: (form: ClassifiedCall) => boolean;
  readonly ask: (form: ClassifiedCall, changed?: Question['changed']) => Promise<Permit>;
}

export interface HeldOutcome<Output> {
  readonly output: Output;
  /** The next document, when the form that was sent led to one. */
  readonly arrived?: Surface;
}

/** Acting primitives that dispatch nothing to the page. */
const UNHEARD =
  /^(?:transfer\.(?:write|clear)|clipboard\.(?:read|write|copy)$|page\.fetch$|browser\.(?!dismiss_dialog$))/;
/** Reading primitives that scroll, which pages listen to. */
const SCROLLS: ReadonlySet<string> = new Set([
  'element.scroll_to',
  'viewport.scroll',
  'locator.element_info',
]);

export const isHeardByPage = ({ name, effect }: PrimitiveSpec): boolean =>
  SCROLLS.has(name) || (effect === 'act' && !UNHEARD.test(name));

export const isWait = ({ name }: Pick<PrimitiveSpec, 'name'>): boolean =>
  name === 'page.wait' || name === 'locator.wait_for';

/** As long as page code holds on after an act, and without a word from here. */
const AFTER_MS = 10_000;
const RAISED_MS = 60_000;

export function createHeldForms(host: SurfaceHost, clock: Clock): HeldForms {
  /** Owned by a call: one that ends late must not release the hold of the next. */
  let raised: { readonly callId: string; readonly done: Promise<unknown> } | undefined;
  let heldUntil = 0;
  /** By the last act that was permitted to send something. */
  let shown: ElementContext | undefined;
  const raise = (callId: string) => {
    if (raised?.callId !== callId) raised = { callId, done: orderHold(host, 'raise') };
  };
  /** False when the page could not be reached: it shows a dialog. */
  const lift = async (): Promise<boolean> => {
    if (raised === undefined && heldUntil <= clock.now()) return true;
    raised = undefined;
    const isLifted = (await orderHold(host, 'lift')) !== undefined;
    heldUntil = isLifted ? 0 : clock.now() + RAISED_MS;
    return isLifted;
  };
  const release = async (callId: string): Promise<StoppedForm | undefined> => {
    if (raised !== undefined && raised.callId !== callId) return undefined;
    raised = undefined;
    const stopped = await orderHold(host, 'release');
    // Behind an open dialog, page code holds on until the next act.
    heldUntil = clock.now() + (stopped === undefined ? RAISED_MS : AFTER_MS);
    return stopped ?? undefined;
  };
  const settleStopped = async (stopped: StoppedForm, act: HeldAct): Promise<Surface | undefined> => {
    try {
      return await settleForm(stopped, { ...act, shown }, host, clock);
    } finally {
      // After a no, page code holds on as after an act, however long the person took.
      heldUntil = clock.now() + AFTER_MS;
    }
  };
  const settle = async (act: HeldAct): Promise<Surface | undefined> => {
    const stopped = await release(act.callId);
    return stopped && settleStopped(stopped, act);
  };
  const settleLate = async (act: HeldAct): Promise<Surface | undefined> => {
    const stopped = raised === undefined ? await orderHold(host, 'look') : undefined;
    return stopped ? settleStopped(stopped, act) : undefined;
  };
  return {
    raise,
    lift: async () => void (await lift()),
    abandon(callId) {
      if (raised?.callId === callId) void lift();
    },
    async during(act, run) {
      shown = act.isPermitted ? act.shown : undefined;
      if (shown !== undefined) raised = { callId: act.callId, done: orderHold(host, 'keep') };
      else if (act.isPermitted && (await lift())) return { output: await run() };
      if (!act.isPermitted) raise(act.callId);
      await raised?.done;
      return settled(run, () => settle(act));
    },
    afterWait: (act, wait) => settled(wait, () => settleLate(act)),
  };
}

async function settled<Output>(
  run: () => Promise<Output>,
  settle: () => Promise<Surface | undefined>,
): Promise<HeldOutcome<Output>> {
  let output: Output;
  try {
    output = await run();
  } catch (error) {
    await settle();
    throw error;
  }
  const arrived = await settle();
  return { output, ...(arrived && { arrived }) };
}

/** A page that sends something else each time is stopped. */
const MAX_SENDINGS = 3;

async function settleForm(
  { token, to, differs }: StoppedForm,
  act: HeldAct,
  host: SurfaceHost,
  clock: Clock,
  round = 1,
): Promise<Surface | undefined> {
  const { name, isPermitted, shown, signal, asking } = act;
  let asked: unknown;
  const look = async () => {
    asked = await host.callPage('forms.describe', [{ token }]);
    if (asked === null) throw unknownForm(name, to);
    return effectOfForm(asked);
  };
  const navigation = watchNavigation(host, clock, signal);
  try {
    const form = await look();
    const changed = differs && changesOf(shown, form.elementContext);
    if (changed !== undefined && round > MAX_SENDINGS) throw changedForm(name);
    if (changed !== undefined || (!isPermitted && !asking.hasGrant(form)))
      await askUntilSame(form, { name, now: () => clock.now(), ask: asking.ask, look, changed });
    const { sent } = trustSent(await host.callPage('forms.send', [{ token, asked }]));
    if (!sent) throw changedForm(name);
    const { to: next } = trustLeaving(await host.callPage('page.leaving', []));
    const again = differs && (await orderHold(host, 'look'));
    if (again) return await settleForm(again, { ...act, shown: form.elementContext }, host, clock, round + 1);
    return next === null ? undefined : await navigation.arrival();
  } catch (error) {
    if (error instanceof DocumentLeft) return navigation.arrival();
    await orderHold(host, 'drop');
    throw isDenied(error) ? notSent(name, error) : error;
  } finally {
    navigation.close();
  }
}

/** Undefined when page code does not answer: its document has left, or shows a dialog. */
async function orderHold(host: SurfaceHost, order: HoldOrder): Promise<StoppedForm | null | undefined> {
  try {
    return trustStopped(await host.callPage('forms.hold', [order]));
  } catch (error) {
    if (error instanceof DocumentLeft || error instanceof BridgeError) return undefined;
    throw error;
  }
}

const isDenied = (error: unknown): error is BridgeError =>
  error instanceof BridgeError && error.code === 'permission_denied';

function notSent(name: string, { message, evidence }: BridgeError): BridgeError {
  const told = `${name} was done, but the form that the page wanted to send by itself was not sent. ${message}`;
  return new BridgeError('permission_denied', told, {
    evidence: { ...evidence, reason: 'sends_by_itself', why: evidence['reason'] },
  });
}

function unknownForm(name: string, to: string): BridgeError {
  const message = `${name} was done, but the page was kept from sending a form by itself, and the browser does not tell which. Press the button that sends the form: that asks the person.`;
  return new BridgeError('permission_denied', message, { evidence: { reason: 'sends_by_itself', to } });
}

function changedForm(name: string): BridgeError {
  const message = `${name} was done, but the page changed the form that it wanted to send after it was permitted, so it was not sent. Look at the page, then press the form’s button.`;
  return new BridgeError('state_mismatch', message, { evidence: { reason: 'kept_changing' } });
}

// Trusted: the page code is ours.

function trustStopped(value: unknown): StoppedForm | null {
  return value as StoppedForm | null;
}

function trustSent(value: unknown): { readonly sent: boolean } {
  return value as { readonly sent: boolean };
}

function trustLeaving(value: unknown): { readonly to: string | null } {
  return value as { readonly to: string | null };
}
