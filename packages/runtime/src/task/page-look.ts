import { SITE_TOOL } from '@drawbridge/manifest';
import { LIMITS, type MapTool } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { type BodyCall, callPrimitive } from './page-call.ts';
import { type CaptureOptions, capture, markupOf } from './page-capture.ts';
import type { Filtered, Perceived, Screenshot, TaskPage, Wanted } from './task-page.ts';

/** INT-253 */
const REST = { for: 'stable', timeout_ms: 3_000 } as const;
/** INT-268; base64 takes four characters for three bytes. */
const PICTURE = {
  format: 'jpeg',
  quality: 70,
  max_width: 1024,
  max_kilobytes: Math.floor((LIMITS.screenshot.value * 3) / 4 / 1024),
} as const;
/** A page that navigates during a look is looked at again; one that never stays is taken as it is. */
const MAX_LOOKS = 3;

export interface LookOptions extends CaptureOptions, PictureOptions {}

/** Looks at the page over calls: the tree, the site's tools, and requested extras. */
export function createLook(call: BodyCall, options: LookOptions): TaskPage['perceive'] {
  const pictures = createPictures(call, options);

  const lookOnce = async (wanted: Wanted, signal: AbortSignal) => {
    // A page that is never stable is looked at as it is.
    await orNothing(callPrimitive(call, 'page.wait', REST, signal), signal);
    const [{ taken = {}, ...page }, tools] = await Promise.all([
      capture(call, wanted, options, signal),
      orNothing(call(SITE_TOOL.name, { mode: 'list' }, signal), signal),
    ]);
    const { domMode } = page;
    const isPictured = wanted.screenshot === true || domMode === 'hybrid';
    // INT-272: an unavailable screenshot does not stop the task.
    const picture = isPictured ? await orNothing(pictures.take(signal), signal) : undefined;
    const filtered = filteredIn(taken);
    const seen: Perceived = {
      ...page,
      ...(filtered !== undefined && { filtered }),
      tools: toolsIn(tools, page.url),
      ...(wanted.skeleton === true &&
        domMode === undefined && { skeletonDom: await markupOf(call, 'skeleton', signal) }),
      ...(wanted.dom === true && { dom: await markupOf(call, 'full', signal) }),
    };
    return { seen, picture };
  };

  return async (wanted, signal) => {
    let before: string | undefined;
    for (let looks = 1; ; looks++) {
      const { seen, picture } = await lookOnce(wanted, signal);
      // INT-77: the tab's current address; the tree of another address would be reported as this one's.
      const { url } = (await orNothing(callPrimitive(call, 'page.info', {}, signal), signal)) ?? seen;
      // The address after the last look may be a different spelling of the same one.
      const hasMoved = url !== seen.url && url !== before;
      before = url;
      if (hasMoved && looks < MAX_LOOKS) continue;
      return {
        ...seen,
        ...(hasMoved && { url }),
        ...(picture !== undefined && { screenshot: pictures.sent(picture) }),
      };
    }
  };
}

export interface PictureOptions {
  /** The perceptual hash of a base64 JPEG; absent without a decoder. */
  readonly hashPicture?: (image: string) => Promise<string>;
}

interface Picture {
  readonly image: string;
  readonly hash?: string;
}

/** Remembers the last one sent, so that the same screenshot is sent once (INT-270). */
function createPictures(call: BodyCall, { hashPicture }: PictureOptions) {
  let last: string | undefined;
  return {
    async take(signal: AbortSignal): Promise<Picture> {
      const { image } = await callPrimitive(call, 'browser.screenshot', PICTURE, signal);
      const hash = await hashPicture?.(image);
      return { image, ...(hash !== undefined && { hash }) };
    },
    sent({ image, hash }: Picture): Screenshot {
      const mark = hash ?? image;
      const isSame = mark === last;
      last = mark;
      return { image: isSame ? null : image, ...(hash !== undefined && { hash }) };
    },
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

/** The map's tools for this address. */
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

/** An optional part of a look; a cancelled task still ends. */
async function orNothing<Value>(wanted: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  try {
    return await wanted;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
