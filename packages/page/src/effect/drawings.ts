import { boxOf, isRendered, touches, viewportOf, visibleBox } from '../perceive/visibility.ts';

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
      sum = (Math.imul(sum, 31) + pixel) | 0;
    }
    return any === 0 ? 'blank' : sum;
  } catch {
    return 'unreadable';
  }
}

/**
 * The only canvas whose drawing cannot be read, of those that the element is or holds, else of those in view. One
 * under or over the element would show the press itself.
 */
export function unreadCanvas(element: Element): HTMLCanvasElement | undefined {
  const inside = unreadOf([element, ...element.getElementsByTagName('canvas')]);
  if (inside.length > 0) return inside.length === 1 ? inside[0] : undefined;
  const [only, ...others] = unreadOf(element.ownerDocument.getElementsByTagName('canvas')).filter(isInView);
  const isApart = only !== undefined && others.length === 0 && !touches(boxOf(only), boxOf(element));
  return isApart ? only : undefined;
}

const unreadOf = (elements: Iterable<Element>): HTMLCanvasElement[] =>
  [...elements]
    .filter(isCanvas)
    .slice(0, MOST_DRAWINGS)
    .filter((canvas) => typeof read(canvas) !== 'number');

const isInView = (canvas: HTMLCanvasElement): boolean =>
  isRendered(canvas) && visibleBox(canvas, viewportOf(canvas)) !== undefined;
