import { type Box, boxOf, isRendered, touches, viewportOf, visibleBox } from '../perceive/visibility.ts';

/** A drawing as far as it can be read: a hash of the pixels, nothing on it, or nothing readable. */
export type Drawing = number | 'blank' | 'unreadable';

/** A larger one is read smaller: a thin line still changes the average. */
const MOST_PX = 640;
const MOST_DRAWINGS = 6;

/**
 * Reads drawings through a copy: asking a canvas for a context would give it one. A WebGL drawing mostly reads
 * as blank, and one with pictures of another origin not at all.
 */
export function readDrawings(elements: Iterable<Element>): ReadonlyMap<Element, Drawing> {
  const drawings = new Map<Element, Drawing>();
  for (const element of elements)
    if (isCanvas(element) && drawings.size < MOST_DRAWINGS) drawings.set(element, read(element));
  return drawings;
}

export const isCanvas = (element: Element): element is HTMLCanvasElement =>
  element.localName === 'canvas' && 'toDataURL' in element;

function read(canvas: HTMLCanvasElement): Drawing {
  const shrink = Math.min(1, MOST_PX / Math.max(canvas.width, canvas.height, 1));
  const [width, height] = [canvas.width, canvas.height].map((side) => Math.ceil(side * shrink));
  if (!width || !height) return 'blank';
  try {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (context === null) return 'unreadable';
    context.imageSmoothingQuality = 'medium';
    context.drawImage(canvas, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    let [sum, any] = [0, 0];
    for (const pixel of new Uint32Array(data.buffer)) {
      any |= pixel;
      // Rotated: black differs from nothing in the upper byte alone.
      sum = Math.imul(((sum << 5) | (sum >>> 27)) ^ pixel, 0x9e3779b1);
    }
    return any === 0 ? 'blank' : sum;
  } catch {
    return 'unreadable';
  }
}

/**
 * The box of all canvases whose drawing cannot be read, of those that the element is or holds, else of those in view.
 * One under or over the element would show the press itself.
 */
export function unreadPart(element: Element): Box | undefined {
  const inside = unreadOf([element, ...element.getElementsByTagName('canvas')]);
  if (inside.length > 0) return around(inside);
  const part = around(unreadOf(element.ownerDocument.getElementsByTagName('canvas')).filter(isInView));
  return part === undefined || touches(part, boxOf(element)) ? undefined : part;
}

function around(canvases: readonly Element[]): Box | undefined {
  const [first, ...others] = canvases.map(boxOf);
  return others.reduce<Box | undefined>(
    (whole, box) =>
      whole && {
        left: Math.min(whole.left, box.left),
        top: Math.min(whole.top, box.top),
        right: Math.max(whole.right, box.right),
        bottom: Math.max(whole.bottom, box.bottom),
      },
    first,
  );
}

const unreadOf = (elements: Iterable<Element>): HTMLCanvasElement[] =>
  [...elements]
    .filter(isCanvas)
    .slice(0, MOST_DRAWINGS)
    .filter((canvas) => typeof read(canvas) !== 'number');

const isInView = (canvas: HTMLCanvasElement): boolean =>
  isRendered(canvas) && visibleBox(canvas, viewportOf(canvas)) !== undefined;
