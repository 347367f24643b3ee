import { SITE_TOOL } from '@drawbridge/manifest';
import { LIMITS, type MapTool } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { Filtered, Perceived, Screenshot, Wanted } from './body.ts';
import { type BodyCall, callPrimitive } from './body-call.ts';

/** INT-253 */
const REST = { for: 'stable', timeout_ms: 3_000 } as const;
/** INT-255 */
const SHORT_DOM = 10_000;
/** INT-268; base64 takes four characters for three bytes. */
const PICTURE = {
  format: 'jpeg',
  quality: 70,
  max_width: 1024,
  max_kilobytes: Math.floor((LIMITS.screenshot.value * 3) / 4 / 1024),
} as const;

type TakePicture = (signal: AbortSignal) => Promise<Screenshot | undefined>;

/** A look at the page over calls: the tree, the site's tools, and what was asked for beside them. */
export async function look(
  call: BodyCall,
  wanted: Wanted,
  takePicture: TakePicture,
  signal: AbortSignal,
): Promise<Perceived> {
  // A page that never rests is looked at as it is.
  await orNothing(callPrimitive(call, 'page.wait', REST, signal), signal);
  const { query } = wanted;
  const [taken, tools] = await Promise.all([
    callPrimitive(call, 'page.snapshot', { mode: 'semantic', ...(query !== undefined && { query }) }, signal),
    orNothing(call(SITE_TOOL.name, { mode: 'list' }, signal), signal),
  ]);
  const { page } = taken;
  const {
    interactive_tree: interactiveTree = [],
    mode: _,
    ...signs
  } = page ?? (await bareSigns(call, signal));
  const filtered = filteredIn(taken);
  const isEmpty = interactiveTree.length === 0;
  return {
    ...signs,
    interactiveTree,
    ...(filtered !== undefined && { filtered }),
    tools: toolsIn(tools, signs.url),
    ...(isEmpty && (await withFullKeys(call, signal))),
    ...(await artifacts(call, wanted, takePicture, signal)),
  };
}

async function bareSigns(call: BodyCall, signal: AbortSignal) {
  return { ...(await callPrimitive(call, 'page.info', {}, signal)), mode: undefined, interactive_tree: [] };
}

async function artifacts(call: BodyCall, wanted: Wanted, takePicture: TakePicture, signal: AbortSignal) {
  const { skeleton, dom, screenshot } = wanted;
  const markup = async (mode: 'skeleton' | 'full') =>
    (await callPrimitive(call, 'page.snapshot', { mode }, signal)).html ?? '';
  // INT-272: a picture that cannot be taken is no reason to stop.
  const picture = screenshot === true ? await orNothing(takePicture(signal), signal) : undefined;
  return {
    ...(skeleton === true && { skeletonDom: await markup('skeleton') }),
    ...(dom === true && { dom: await markup('full') }),
    ...(picture !== undefined && { screenshot: picture }),
  };
}

async function withFullKeys(call: BodyCall, signal: AbortSignal) {
  const taken = await callPrimitive(call, 'page.snapshot', { form: 'full_keys' }, signal);
  const full = { mode: 'full', max_bytes: SHORT_DOM } as const;
  const { html = '' } = await callPrimitive(call, 'page.snapshot', full, signal);
  return { semanticNodes: taken.semanticNodes ?? [], dom: html };
}

export interface PictureOptions {
  /** The perceptual hash of a JPEG in base64; only whoever can decode one has it. */
  readonly hashPicture?: (image: string) => Promise<string>;
}

/** Remembers the last one, so that the same is sent once (INT-270). */
export function pictureTaker(call: BodyCall, { hashPicture }: PictureOptions): TakePicture {
  let last: string | undefined;
  return async (signal) => {
    const { image } = await callPrimitive(call, 'browser.screenshot', PICTURE, signal);
    const hash = await hashPicture?.(image);
    const mark = hash ?? image;
    const isSame = mark === last;
    last = mark;
    return { image: isSame ? null : image, ...(hash !== undefined && { hash }) };
  };
}

function filteredIn(taken: object): Filtered | undefined {
  const field = (name: string): unknown => Reflect.get(taken, name);
  if (field('dom_filtered') !== true) return undefined;
  const [reason, count, reduction] = ['filter_reason', 'original_node_count', 'token_reduction'].map(field);
  return {
    dom_filtered: true,
    ...(typeof reason === 'string' && { filter_reason: reason.slice(0, LIMITS.event_text.value) }),
    ...(typeof count === 'number' && { original_node_count: count }),
    ...(typeof reduction === 'number' && { token_reduction: Math.min(100, Math.max(0, reduction)) }),
  };
}

const DESCRIPTION_CHARS = 2_000;

/** The tools of the map that work at this address. */
function toolsIn(listing: unknown, url: string): MapTool[] {
  const actions: unknown = isObject(listing) ? listing['actions'] : [];
  return (Array.isArray(actions) ? actions : []).filter(isObject).flatMap((action) => {
    const { name, description, input_schema, effect, target_url_contains: place } = action;
    if (typeof name !== 'string' || (typeof place === 'string' && !url.includes(place))) return [];
    return {
      name,
      ...(typeof description === 'string' && { description: description.slice(0, DESCRIPTION_CHARS) }),
      ...(isObject(input_schema) && { inputSchema: input_schema }),
      ...((effect === 'read' || effect === 'act' || effect === 'irreversible') && { effect }),
    };
  });
}

/** What may be missing without harm; a task that was called off still ends. */
async function orNothing<Value>(wanted: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  try {
    return await wanted;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
