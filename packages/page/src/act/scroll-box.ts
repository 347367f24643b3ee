import { lineOf } from '../perceive/composed-tree.ts';
import type { Point } from '../perceive/hit-test.ts';
import { type Direction, scrollDirection } from '../perceive/scrollable.ts';
import type { ActionContext } from './action-context.ts';
import type { ScrollPosition } from './action-result.ts';
import { USUAL, viewOf } from './page-events.ts';
import type { Pair } from './press-points.ts';

export const directionOf = (element: Element): Direction | undefined =>
  scrollDirection(element, getComputedStyle(element));

export function scrollBoxAround(element: Element): Element {
  const { scrollingElement, documentElement } = element.ownerDocument;
  const around = lineOf(element).find((outer) => directionOf(outer) !== undefined);
  return around ?? scrollingElement ?? documentElement;
}

export const pageBox = ({ document }: ActionContext): Element =>
  document.scrollingElement ?? document.documentElement;

export function positionOf(box: Element): ScrollPosition {
  return {
    x: Math.round(box.scrollLeft),
    y: Math.round(box.scrollTop),
    max_x: Math.max(0, box.scrollWidth - box.clientWidth),
    max_y: Math.max(0, box.scrollHeight - box.clientHeight),
  };
}

/** A synthetic wheel scrolls nothing by itself: unless the page cancels it, the box is scrolled here. */
export function turnWheel(element: Element, { x, y }: Point, [deltaX, deltaY]: Pair): Element {
  const view = viewOf(element);
  const init = { ...USUAL, view, clientX: x, clientY: y, deltaX, deltaY };
  const goesOn = element.dispatchEvent(new view.WheelEvent('wheel', init));
  const box = scrollBoxAround(element);
  if (goesOn) box.scrollBy({ left: deltaX, top: deltaY, behavior: 'instant' });
  return box;
}
