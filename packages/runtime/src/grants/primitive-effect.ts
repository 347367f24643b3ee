import { BridgeError, type EffectClass } from '@drawbridge/protocol';
import type { PrimitiveSpec } from '@drawbridge/protocol/primitives';
import type { SurfaceHost } from '../host.ts';
import { ACT_TARGETS, type ActTarget, type Args } from './act-targets.ts';
import { effectOfAddress } from './address-effect.ts';
import type { AskedContent } from './asked-content.ts';
import { pastesClipboard, pressesBlindly, requireOnePress } from './chords.ts';
import { type ElementContext, effectOfPress, readElementContext } from './element-context.ts';
import { formGrantName } from './form-grants.ts';
import type { OfferedAddresses } from './offered-addresses.ts';
import { orderOnPage } from './page-order.ts';

export interface ClassifiedCall {
  readonly effect: EffectClass;
  readonly elementContext?: ElementContext;
  /** One for each element that the call is about; a drag has two. */
  readonly elementContexts?: readonly ElementContext[];
  /** Grant name of the form that an act would send. */
  readonly form?: string;
}

/** Acting primitives that are not classified, each with a reason. */
export const EXEMPT: ReadonlyMap<string, string> = new Map([
  ...['element.hover', 'element.wheel', 'element.focus', 'dom.focus', 'pointer.move', 'text.select'].map(
    (name) => [name, 'presses nothing and writes nothing'] as const,
  ),
  ...['overlay.open', 'overlay.close'].map((name) => [name, 'is ours, and out of the page’s reach'] as const),
  ...['transfer.write', 'transfer.clear'].map((name) => [name, 'stays within the runtime'] as const),
  ...['clipboard.write', 'clipboard.copy'].map((name) => [name, 'gives the site nothing'] as const),
  ...['browser.claimed_tabs.activate', 'browser.close_tab'].map(
    (name) => [name, 'is about a tab, and can be opened again'] as const,
  ),
]);

/** Primitives that get an address: what a page offers there decides. */
export const GETS_ADDRESS: ReadonlySet<string> = new Set([
  'browser.navigate',
  'browser.open_tab',
  'page.fetch',
]);

interface ClassifyOptions {
  /** Addresses that the pages of the lent tabs offer. */
  readonly offered: OfferedAddresses;
  /** Reads the content that would be sent as well, for a question to a person. */
  readonly content?: boolean;
  /** The press that page code prepared, with the context of its element. */
  readonly prepared?: { readonly elementContext: unknown } | undefined;
}

/** Classifies a primitive by its likely consequences. A heuristic. */
export async function effectOfPrimitive(
  primitive: PrimitiveSpec,
  args: Args,
  host: SurfaceHost,
  { content = false, prepared, offered }: ClassifyOptions,
): Promise<ClassifiedCall> {
  const { name, effect } = primitive;
  if (effect !== 'act' || EXEMPT.has(name)) return { effect };
  if (GETS_ADDRESS.has(name)) return effectOfAddress(args['url'], host, offered);
  const isKeys = name === 'element.keys' || name === 'keyboard.press';
  if (isKeys) requireOnePress(name, args);
  if (name === 'browser.dismiss_dialog') return classifyAnswer(args, host);
  const readsClipboard =
    name === 'clipboard.read' ||
    (name === 'clipboard.paste' && args['text'] === undefined && args['html'] === undefined) ||
    (isKeys && pastesClipboard(name, args));
  // Pasting text that the agent itself copied reveals nothing of the person's.
  if (readsClipboard && !(isKeys && (await isOwnClipboard(host))))
    return { effect: 'irreversible', elementContext: CLIPBOARD, elementContexts: [CLIPBOARD] };
  const actTargetsOf = ACT_TARGETS.get(name);
  // A new primitive without a classification asks a person.
  if (actTargetsOf === undefined) return { effect: 'irreversible' };
  const answers =
    prepared === undefined
      ? await elementContextsOf(name, await actTargetsOf(args, host), host, content)
      : prepared.elementContext;
  // A person is not asked about a missing element.
  if (answers === null) throw nothingThere(name, args);
  const elementContexts = [answers].flat().map(readElementContext);
  const [first = readElementContext(undefined)] = elementContexts;
  // Among elements of the same class, the innermost is the one that will be pressed.
  const elementContext =
    elementContexts.findLast((each) => effectOfPress(each) === 'irreversible') ??
    elementContexts.findLast(({ form, sends }) => form !== undefined && sends !== 'never') ??
    first;
  const led = elementContexts.find(({ leads }) => leads !== undefined)?.leads;
  // An agent may write a link to an address of the page into an editor or its own overlay, under another name.
  const there = led === undefined ? undefined : await effectOfAddress(led, host, offered);
  if (there?.effect === 'irreversible') return there;
  const classified = isKeys && pressesBlindly(name, args) ? 'irreversible' : effectOfPress(elementContext);
  const shown = name.endsWith('.drag') ? withBothEnds(elementContext, elementContexts) : elementContext;
  const isInFrame = shown.origin !== undefined && shown.origin !== URL.parse(host.surface().url)?.origin;
  const order = content && isInFrame ? await orderOnPage(host) : undefined;
  if (order === undefined)
    return withFormGrant({ effect: classified, elementContext: shown, elementContexts });
  return withFormGrant({
    effect: classified,
    elementContext: withOrder(shown, order),
    // A person is asked again when the order changed, too.
    elementContexts: [...elementContexts, { ...KNOWN, content: order }],
  });
}

/** A card form in a frame rarely says what is paid for: the page around it does. */
function withOrder(shown: ElementContext, { amounts, goods = [] }: AskedContent): ElementContext {
  const { content } = shown;
  if (content === undefined) return shown;
  const listed = [...new Set([...(content.goods ?? []), ...goods])];
  return {
    ...shown,
    content: {
      ...content,
      amounts: content.amounts.length > 0 ? content.amounts : amounts,
      ...(listed.length > 0 && { goods: listed }),
    },
  };
}

/** A drag presses one element and releases over another: a question names both where both cannot be undone. */
function withBothEnds(elementContext: ElementContext, ends: readonly ElementContext[]): ElementContext {
  const heavy = ends.filter((each) => effectOfPress(each) === 'irreversible');
  const labels = new Set(heavy.flatMap(({ label }) => label ?? []));
  return labels.size > 1 ? { ...elementContext, label: [...labels].join(' → ') } : elementContext;
}

/** Classifies a form that the page sends by itself, as a press on its button. */
export function effectOfForm(answer: unknown): Promise<ClassifiedCall> {
  const elementContext = { ...readElementContext(answer), byItself: true };
  return withFormGrant({
    effect: effectOfPress(elementContext),
    elementContext,
    elementContexts: [elementContext],
  });
}

/** Whether an act of this class was permitted to send a form: it was asked about, or a grant covers it. */
export const maySendForm = ({ effect, form }: ClassifiedCall): boolean =>
  effect === 'irreversible' || form !== undefined;

async function withFormGrant(
  classified: ClassifiedCall & { readonly elementContext: ElementContext },
): Promise<ClassifiedCall> {
  const { effect, elementContext } = classified;
  const { form, sends, origin } = elementContext;
  if (effect !== 'act' || form === undefined || sends === 'never') return classified;
  return { ...classified, form: await formGrantName(form, origin) };
}

/** The highest class of all reachable elements counts. */
async function elementContextsOf(
  name: string,
  actTargets: readonly ActTarget[],
  host: SurfaceHost,
  content: boolean,
): Promise<readonly unknown[]> {
  const answers = actTargets.map(async (actTarget) => {
    const answer = await host.callPage('act.element_context', [
      { ...actTarget, ...(content && { content }) },
    ]);
    if (answer === null) throw nothingThere(name, actTarget);
    return answer;
  });
  return (await Promise.all(answers)).flat();
}

function nothingThere(name: string, { by: _, choice: __, ...whom }: ActTarget | Args): BridgeError {
  const message = `${name} found nothing there. Take a snapshot and use an id from it.`;
  return new BridgeError('target_not_found', message, { evidence: whom });
}

const KNOWN = { submits: true, sensitive: true, secret: false } as const;

/** The page does not answer while its dialog is open; the browser gives the dialog's text. */
function classifyAnswer({ accept }: Args, { dialogs }: SurfaceHost): ClassifiedCall {
  const open = dialogs?.open();
  if (open === undefined) return { effect: 'act' };
  const elementContext = {
    ...KNOWN,
    label: open.message === '' ? `the page’s ${open.dialog}` : open.message,
  };
  const effect = accept === true && open.dialog !== 'alert' ? 'irreversible' : 'act';
  return { effect, elementContext, elementContexts: [elementContext] };
}

const isOwnClipboard = ({ clipboard }: SurfaceHost): Promise<boolean> =>
  clipboard === undefined ? Promise.resolve(false) : clipboard.isOwn().catch(() => false);

const CLIPBOARD: ElementContext = {
  ...KNOWN,
  label: 'the clipboard of this computer: what was copied last, in whatever program, would leave it',
};
