import { BridgeError } from '@drawbridge/protocol';
import type { Frame } from './frames.ts';

/** Where a frame's document begins in the page that holds it, and how much of it is shown there. */
export interface FramePlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** How many of the holder's pixels one of the frame's takes: a transform makes it another than 1. */
  readonly scale: { readonly x: number; readonly y: number };
  /** Something else is where the asked point is. */
  readonly covered: boolean;
}

/** Up through frames of one origin, to where page code has its own coordinates. */
const PLACE = `function (x, y) {
  const inner = (element) => {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const [padLeft, padTop] = [parseFloat(style.paddingLeft) || 0, parseFloat(style.paddingTop) || 0];
    const scale = { x: box.width / element.offsetWidth || 1, y: box.height / element.offsetHeight || 1 };
    return {
      scale,
      left: box.left + (element.clientLeft + padLeft) * scale.x,
      top: box.top + (element.clientTop + padTop) * scale.y,
      width: (element.clientWidth - padLeft - (parseFloat(style.paddingRight) || 0)) * scale.x,
      height: (element.clientHeight - padTop - (parseFloat(style.paddingBottom) || 0)) * scale.y,
    };
  };
  let { left, top, width, height, scale } = inner(this);
  const hit = this.getRootNode().elementFromPoint(
    left + (x === undefined ? width / 2 : x * scale.x), top + (y === undefined ? height / 2 : y * scale.y),
  );
  const covered = hit !== null && hit !== this;
  for (let view = this.ownerDocument.defaultView; view.frameElement !== null; view = view.parent) {
    const outer = inner(view.frameElement);
    left = outer.left + left * outer.scale.x;
    top = outer.top + top * outer.scale.y;
    width *= outer.scale.x;
    height *= outer.scale.y;
    scale = { x: scale.x * outer.scale.x, y: scale.y * outer.scale.y };
  }
  return { left, top, width, height, scale, covered };
}`;
/**
 * Scrolls the point, or the middle, into view. The browser finds out which process is under the mouse from
 * what it painted last, so a press right after a scroll would miss: two frames later it does not.
 */
const SHOW = `async function (x, y) {
  const view = this.ownerDocument.defaultView;
  const isShown = () => {
    const box = this.getBoundingClientRect();
    const scale = { x: box.width / this.offsetWidth || 1, y: box.height / this.offsetHeight || 1 };
    const left = box.left + (x === undefined ? box.width / 2 : x * scale.x);
    const top = box.top + (y === undefined ? box.height / 2 : y * scale.y);
    return { left, top, ok: left >= 0 && top >= 0 && left <= view.innerWidth && top <= view.innerHeight };
  };
  if (isShown().ok) return;
  this.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { ok, left, top } = isShown();
  if (!ok) view.scrollBy({ left: left - view.innerWidth / 2, top: top - view.innerHeight / 2, behavior: 'instant' });
  await new Promise((resolve) => {
    view.requestAnimationFrame(() => view.requestAnimationFrame(resolve));
    setTimeout(resolve, 200);
  });
}`;

/** `at` is a point in the frame; its middle when none is given. */
export async function placeOf(
  frame: Frame,
  parent: Frame | undefined,
  at?: { x: number; y: number },
): Promise<FramePlace> {
  const { result } = await onOwner(frame, parent, PLACE, at === undefined ? [] : [at.x, at.y]);
  return parsePlace(result.value);
}

export async function showFrame(
  frame: Frame,
  parent: Frame | undefined,
  at?: { x: number; y: number },
): Promise<void> {
  await onOwner(frame, parent, SHOW, at === undefined ? [] : [at.x, at.y]);
}

async function onOwner(
  frame: Frame,
  parent: Frame | undefined,
  functionDeclaration: string,
  args: readonly number[],
) {
  if (parent === undefined) throw noOwner();
  frame.owner ??= ownerOf(frame, parent).catch((error: unknown) => {
    frame.owner = undefined;
    throw error;
  });
  return parent.session.send('Runtime.callFunctionOn', {
    functionDeclaration,
    objectId: await frame.owner,
    arguments: args.map((value) => ({ value })),
    awaitPromise: true,
    returnByValue: true,
  });
}

async function ownerOf(frame: Frame, { session, world }: Frame): Promise<string> {
  if (world === undefined) throw noOwner();
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: frame.id });
  const { object } = await session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId: world.contextId,
  });
  if (object.objectId === undefined) throw noOwner();
  return object.objectId;
}

function noOwner(): BridgeError {
  return new BridgeError('target_not_found', 'The frame has left the page. Take a new snapshot.');
}

function parsePlace(value: unknown): FramePlace {
  return value as FramePlace;
}
