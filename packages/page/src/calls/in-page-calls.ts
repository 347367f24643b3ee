import type { InputOf, OutputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import { cleanAnswer as cleanData } from '../extract/clean-value.ts';
import { requireOrigin } from '../locate/origin-here.ts';
import { PageError, type PageErrorData } from '../locate/page-error.ts';
import { callPage, type PageAnswer } from '../page-call.ts';
import type { Point } from '../perceive/hit-test.ts';
import { query, tree } from './a11y.ts';
import { cleanAnswer, cleanError } from './clean-answer.ts';
import { cleanContexts, type ElementContexts } from './clean-context.ts';
import * as clipboard from './clipboard.ts';
import { type ActTarget, formContextOn } from './element-context.ts';
import { cleanBody, fetchPage } from './fetching.ts';
import type { HoldOrder } from './form-hold.ts';
import { handField } from './hand-field.ts';
import type { InPageContext } from './in-page-context.ts';
import * as located from './located.ts';
import { observeAttributes, observeVisible } from './observe.ts';
import { type OfferedQuery, offeredAddresses } from './offered-addresses.ts';
import type { OfferedAnswer, OfferedTool } from './offered-tools.ts';
import { placeOf } from './overlays.ts';
import * as pointing from './pointing.ts';
import { pressContextOf } from './press-context.ts';
import { readyPress } from './ready-press.ts';
import { sameButForClocks } from './running-clocks.ts';
import { scroll } from './scrolling.ts';
import { listSections, snapshotText } from './sections.ts';
import { storedValues } from './stored-values.ts';
import { wait } from './waiting.ts';
import type { WebToolCall } from './web-tools.ts';
import * as writing from './writing.ts';

type Side<Name extends PrimitiveName> = (
  args: InputOf<Name>,
  context: InPageContext,
) => OutputOf<Name> | Promise<OutputOf<Name>>;

/** Primitives with a page side, by name. */
const SIDES = {
  'page.info': (_, { document }) => ({ url: document.URL, title: document.title }),
  'page.wait': wait,
  'page.fetch': fetchPage,
  'locator.element_info': located.elementInfo,
  'locator.text_content': located.textContent,
  'locator.value': located.fieldValue,
  'locator.wait_for': located.waitFor,
  'dom.focus': located.focus,
  'a11y.query': query,
  'a11y.tree': tree,
  'dom.observe.visible': observeVisible,
  'dom.observe.attributes': observeAttributes,
  'dom.snapshot_text': snapshotText,
  'dom.list_sections': listSections,
  'viewport.scroll': scroll,
  'pointer.move': pointing.move,
  'pointer.drag': pointing.drag,
  'text.insert': writing.insert,
  'text.type': writing.type,
  'text.select': writing.select,
  'clipboard.read': clipboard.read,
  'clipboard.write': clipboard.write,
  'clipboard.paste': clipboard.paste,
  'overlay.open': (args, { overlays }) => overlays.open(args),
  'overlay.close': (args, { overlays }) => overlays.close(args),
  'overlay.menu.hide': (_, { overlays }) => overlays.style({ display: 'none' }),
  'overlay.menu.show': (_, { overlays }) => overlays.style({ display: 'flex' }),
  'overlay.menu.collapse': (_, { overlays }) => overlays.collapse(true),
  'overlay.menu.expand': (_, { overlays }) => overlays.collapse(false),
  'overlay.menu.move': (args, { overlays }) => overlays.style(placeOf(args)),
} satisfies { readonly [Name in PrimitiveName]?: Side<Name> };

/** Helpers of handlers for hosts with trusted input: places and selections. */
const ASSISTS = {
  'act.element_context': (subject: ActTarget, context: InPageContext) => {
    context.formHold.forget();
    return pressContextOf(subject, context);
  },
  'act.offered_addresses': (query: OfferedQuery, context: InPageContext) => offeredAddresses(query, context),
  'act.hand_field': handField,
  'pointer.target': (point: Point, context: InPageContext) => pointing.targetAt(point, context),
  'pointer.places': (drag: InputOf<'pointer.drag'>, context: InPageContext) =>
    pointing.dragPoints(drag, context),
  'text.prepare': (typing: InputOf<'text.type'>, context: InPageContext) =>
    writing.prepareTyping(typing, context),
  /** Masks texts that a host got elsewhere. */
  'secrets.mask': ({ texts }: { readonly texts: readonly string[] }) => ({ texts }),
  /** Records a text of the agent that the host types into the page. */
  'secrets.supplied': () => null,
  'clipboard.selection': (_: unknown, context: InPageContext) => clipboard.selection(context),
  'inspect.storage': storedValues,
  'inspect.body': ({ body }: { readonly body: string }, { pageInternals }: InPageContext) => ({
    body: cleanBody(body, pageInternals),
  }),
  'page.viewport': (_: unknown, { window: { innerWidth, innerHeight } }: InPageContext) => ({
    width: innerWidth,
    height: innerHeight,
  }),
  'page.leaving': (_: unknown, { leaving }: InPageContext) => leaving.settled(),
  'forms.hold': (order: HoldOrder, { formHold }: InPageContext) => formHold.order(order),
  'forms.describe': (form: StoppedToken, context: InPageContext) => describeStopped(form, context),
  'forms.send': (form: StoppedToken, context: InPageContext) => sendStopped(form, context),
  'record.start': (_: unknown, { recorder }: InPageContext) => recorder?.['record.start'](),
  'record.stop': (_: unknown, { recorder }: InPageContext) => recorder?.['record.stop'](),
  'webtools.list': (_: unknown, { webTools }: InPageContext) => webTools.list(),
  'webtools.call': async (call: WebToolCall, { webTools, pageInternals }: InPageContext) =>
    cleanData(await webTools.call(call), pageInternals.cleaner()),
  'webtools.offer': (
    { tools }: { readonly tools: readonly OfferedTool[] },
    { offeredTools }: InPageContext,
  ) => offeredTools.offer(tools),
  'webtools.answer': (answer: OfferedAnswer, { offeredTools }: InPageContext) => offeredTools.answer(answer),
};

/** `asked` is the description to which a person said yes. */
interface StoppedToken {
  readonly token: string;
  readonly asked?: unknown;
}

function describeStopped({ token }: StoppedToken, context: InPageContext) {
  const stopped = context.formHold.stopped(token);
  return stopped === undefined ? null : formContextOn(stopped, context);
}

/** Sends nothing else than what was asked about. */
function sendStopped({ token, asked }: StoppedToken, context: InPageContext) {
  const now = cleanContexts(describeStopped({ token }, context), true, context.pageInternals);
  const isSame = sameButForClocks(JSON.stringify(asked), JSON.stringify(now), 0);
  return { sent: now !== null && isSame && context.formHold.send(token) };
}

/** A map rather than an object: `constructor` is not a call. */
const CALLS: ReadonlyMap<string, unknown> = new Map(Object.entries({ ...SIDES, ...ASSISTS }));

/** Calls whose arguments never reach the page. */
const READS =
  /^(?:act\.(?:element_context|offered_addresses|hand_field)|forms\.|page\.(?:wait|leaving|viewport)|locator\.|a11y\.|dom\.|viewport\.|secrets\.mask|inspect\.|uploadPart|snapshot|delta|read|skeleton|fullDom|extract|find|elementInfo|selectText)/;

/** Calls the page side of a primitive, or else a method of the page. Data in, data out, with secrets masked. */
export function callInPage(
  context: InPageContext,
  name: string,
  args: readonly unknown[],
): PageAnswer | Promise<PageAnswer> {
  if (!READS.test(name)) context.pageInternals.recordSupplied(args);
  if (name === 'act.prepare_press') return readyPress(context, args, (error) => failed(error, context));
  return callSide(context, name, args);
}

/** Calls that may come while an act of another call is under way. */
const KEEPS_LEAVING: ReadonlySet<string> = new Set(['page.leaving', 'act.offered_addresses']);

/** Calls that answer with element contexts. */
const CONTEXTS: ReadonlySet<string> = new Set([
  'act.element_context',
  'act.offered_addresses',
  'forms.describe',
]);

async function callSide(context: InPageContext, name: string, args: readonly unknown[]): Promise<PageAnswer> {
  const call = CALLS.get(name);
  if (typeof call !== 'function') return callWhole(context, name, args);
  const [input = {}, options] = args;
  try {
    requireOrigin(options, context);
    if (!KEEPS_LEAVING.has(name)) context.leaving.forget();
    const value: unknown = await Reflect.apply(call, undefined, [input, context]);
    const { pageInternals } = context;
    const clean = pageInternals.cleaner();
    if (!CONTEXTS.has(name)) return { ok: true, value: cleanAnswer(value, clean, locatorIn(input)) };
    const isAsked = name === 'forms.describe' || Reflect.get(Object(input), 'content') === true;
    return { ok: true, value: cleanContexts(trustContexts(value), isAsked, pageInternals) };
  } catch (error) {
    return failed(error, context, locatorIn(input));
  }
}

/** These mask their whole answer themselves; a second pass would be noticeable on a large page. */
const SCRUBBED: ReadonlySet<string> = new Set([
  'snapshot',
  'delta',
  'read',
  'skeleton',
  'fullDom',
  'extract',
]);

async function callWhole(
  context: InPageContext,
  name: string,
  args: readonly unknown[],
): Promise<PageAnswer> {
  const answer = await callPage(context.page, name, args);
  if (!answer.ok)
    return { ok: false, error: cleanError(answer.error, context.pageInternals.cleaner(), args[0]) };
  if (SCRUBBED.has(name)) return answer;
  return { ok: true, value: cleanAnswer(answer.value, context.pageInternals.seenCleaner) };
}

function failed(error: unknown, { pageInternals }: InPageContext, locator?: unknown): PageAnswer {
  return { ok: false, error: cleanError(errorData(error), pageInternals.cleaner(), locator) };
}

// Only our own code answers these calls.

function trustContexts(value: unknown): ElementContexts {
  return value as ElementContexts;
}

const locatorIn = (input: unknown): unknown => Reflect.get(Object(input), 'locator');

function errorData(error: unknown): PageErrorData {
  if (error instanceof PageError) return error.toJSON();
  // The browser's message may repeat an argument.
  const message = `The page code failed (${error instanceof Error ? error.name : typeof error}). Take a new snapshot.`;
  return { code: 'handler_failed', message, evidence: { reason: 'failed' } };
}
