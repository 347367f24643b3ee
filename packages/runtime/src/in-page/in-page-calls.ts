import {
  callPage,
  cleanData,
  type PageAnswer,
  PageError,
  type PageErrorData,
  type Point,
} from '@drawbridge/page';
import type { InputOf, OutputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import { cleanAnswer, cleanError } from './clean-answer.ts';
import * as clipboard from './clipboard.ts';
import { fetchPage } from './fetching.ts';
import * as located from './located.ts';
import { observeAttributes, observeVisible } from './observe.ts';
import type { OfferedAnswer } from './offered-tools.ts';
import { requireOrigin } from './origin-here.ts';
import * as pointing from './pointing.ts';
import { purposeOf } from './press-purpose.ts';
import type { Subject } from './purpose.ts';
import { readyPress } from './ready-press.ts';
import type { InPageScene } from './scene.ts';
import { scroll } from './scrolling.ts';
import { listSections, snapshotText } from './sections.ts';
import { wait } from './waiting.ts';
import type { WebTool, WebToolCall } from './web-tools.ts';
import * as writing from './writing.ts';

type Side<Name extends PrimitiveName> = (
  args: InputOf<Name>,
  scene: InPageScene,
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
  'dom.observe.visible': observeVisible,
  'dom.observe.attributes': observeAttributes,
  'dom.snapshot_text': snapshotText,
  'dom.list_sections': listSections,
  'viewport.scroll': scroll,
  'pointer.move': pointing.move,
  'pointer.click': pointing.click,
  'pointer.double_click': pointing.doubleClick,
  'pointer.drag': pointing.drag,
  'text.insert': writing.insert,
  'text.type': writing.type,
  'text.select': writing.select,
  'clipboard.read': clipboard.read,
  'clipboard.write': clipboard.write,
  'clipboard.paste': clipboard.paste,
  'overlay.open': (args, { overlays }) => overlays.open(args),
  'overlay.close': (args, { overlays }) => overlays.close(args),
} satisfies { readonly [Name in PrimitiveName]?: Side<Name> };

/** Helpers of handlers for hosts with trusted input: places and selections. */
const ASSISTS = {
  'act.purpose': (subject: Subject, scene: InPageScene) => purposeOf(subject, scene),
  'pointer.target': (point: Point, scene: InPageScene) => pointing.targetAt(point, scene),
  'pointer.places': (drag: InputOf<'pointer.drag'>, scene: InPageScene) => pointing.dragPlaces(drag, scene),
  'text.prepare': (typing: InputOf<'text.type'>, scene: InPageScene) => writing.prepareTyping(typing, scene),
  /** Masks texts that a host got elsewhere. */
  'secrets.mask': ({ texts }: { readonly texts: readonly string[] }) => ({ texts }),
  /** Records a text of the agent that the host types into the page. */
  'secrets.supplied': () => null,
  'clipboard.selection': (_: unknown, scene: InPageScene) => clipboard.selection(scene),
  'page.leaving': (_: unknown, { leaving }: InPageScene) => leaving.settled(),
  'record.start': (_: unknown, { recorder }: InPageScene) => recorder?.['record.start'](),
  'record.stop': (_: unknown, { recorder }: InPageScene) => recorder?.['record.stop'](),
  'webtools.list': (_: unknown, { webTools }: InPageScene) => webTools.list(),
  'webtools.call': async (call: WebToolCall, { webTools, world }: InPageScene) =>
    cleanData(await webTools.call(call), world.cleaner()),
  'webtools.offer': ({ tools }: { readonly tools: readonly WebTool[] }, { offeredTools }: InPageScene) =>
    offeredTools.offer(tools),
  'webtools.answer': (answer: OfferedAnswer, { offeredTools }: InPageScene) => offeredTools.answer(answer),
};

/** A map rather than an object: `constructor` is not a call. */
const CALLS: ReadonlyMap<string, unknown> = new Map(Object.entries({ ...SIDES, ...ASSISTS }));

/** Calls whose arguments never reach the page. */
const READS =
  /^(?:act\.purpose|page\.(?:wait|leaving)|locator\.|dom\.|viewport\.|secrets\.mask|snapshot|delta|read|skeleton|fullDom|extract|find|elementInfo)/;

/** Calls the page side of a primitive, or else a method of the page. Data in, data out, with secrets masked. */
export function callInPage(
  scene: InPageScene,
  name: string,
  args: readonly unknown[],
): PageAnswer | Promise<PageAnswer> {
  if (!READS.test(name)) scene.world.noteSupplied(args);
  if (name === 'act.press') return readyPress(scene, args, (error) => failed(error, scene));
  return callSide(scene, name, args);
}

async function callSide(scene: InPageScene, name: string, args: readonly unknown[]): Promise<PageAnswer> {
  const call = CALLS.get(name);
  if (typeof call !== 'function') return callWhole(scene, name, args);
  const [input = {}, options] = args;
  try {
    requireOrigin(options, scene);
    if (name !== 'page.leaving') scene.leaving.forget();
    const value: unknown = await Reflect.apply(call, undefined, [input, scene]);
    const isAsked = name === 'act.purpose' && Reflect.get(Object(input), 'content') === true;
    const { world } = scene;
    const clean = isAsked ? world.personCleaner : world.cleaner();
    return { ok: true, value: cleanAnswer(value, clean, locatorIn(input)) };
  } catch (error) {
    return failed(error, scene, locatorIn(input));
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

async function callWhole(scene: InPageScene, name: string, args: readonly unknown[]): Promise<PageAnswer> {
  const answer = await callPage(scene.page, name, args);
  if (!answer.ok) return { ok: false, error: cleanError(answer.error, scene.world.cleaner(), args[0]) };
  if (SCRUBBED.has(name)) return answer;
  return { ok: true, value: cleanAnswer(answer.value, scene.world.seenCleaner) };
}

function failed(error: unknown, { world }: InPageScene, locator?: unknown): PageAnswer {
  return { ok: false, error: cleanError(errorData(error), world.cleaner(), locator) };
}

const locatorIn = (input: unknown): unknown => Reflect.get(Object(input), 'locator');

function errorData(error: unknown): PageErrorData {
  if (error instanceof PageError) return error.toJSON();
  // The browser's message may repeat an argument.
  const message = `The page code failed (${error instanceof Error ? error.name : typeof error}). Take a new snapshot.`;
  return { code: 'handler_failed', message, evidence: { reason: 'failed' } };
}
