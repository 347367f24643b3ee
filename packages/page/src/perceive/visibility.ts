import { isInput, isSelect, isTextArea } from '../secrets/secret-field.ts';
import { lineOf } from './composed-tree.ts';
import { inWalk, styleOf } from './walk-cache.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Anything smaller is invisible: the usual trick to hide something from the eye only. */
const SMALLEST_PX = 2;

/** Rendered, not hidden by style, and large enough to see, at any place. */
export function isVisible(element: Element): boolean {
  return isRendered(element) && visibleBox(element) !== undefined;
}

/** Not hidden by style. A field may be transparent and still be pressed, like custom checkboxes and file pickers. */
export function isRendered(element: Element): boolean {
  const isControl = isInput(element) || isSelect(element) || isTextArea(element);
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: !isControl });
}

/** The first line box large enough to press: the middle of a link over two lines may lie between them. */
export function visibleBox(element: Element, within?: Box): Box | undefined {
  const whole = boxOf(element);
  if (within !== undefined && !touches(whole, within)) return undefined;
  const lines = element.getClientRects();
  if (lines.length > 1) {
    for (const rect of lines)
      if (isLarge(rect) && (within === undefined || touches(rect, within))) return rect;
  }
  if (isLarge(whole)) return whole;
  return boxOfContents(element, within);
}

/** A link around a floating or positioned image has no size; the image has. */
function boxOfContents(element: Element, within: Box | undefined): Box | undefined {
  for (const child of element.children) {
    const rect = boxOf(child);
    if (isLarge(rect) && (within === undefined || touches(rect, within)) && isRendered(child)) return rect;
  }
  return undefined;
}

/** A plain copy, because each access to the browser's rectangle is a call. */
export function boxOf(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left, top, right, bottom };
}

/** Origin of a frame's document, in coordinates of the outer one. */
export function insideOrigin(frame: Element): Pick<Box, 'left' | 'top'> {
  const { left, top } = boxOf(frame);
  const { paddingLeft, paddingTop } = styleOf(frame);
  return {
    left: left + frame.clientLeft + Number.parseFloat(paddingLeft),
    top: top + frame.clientTop + Number.parseFloat(paddingTop),
  };
}

export function isLarge(box: Box): boolean {
  return box.right - box.left >= SMALLEST_PX && box.bottom - box.top >= SMALLEST_PX;
}

export function touches(box: Box, other: Box): boolean {
  return box.right > other.left && box.left < other.right && box.bottom > other.top && box.top < other.bottom;
}

export function clip(box: Box, by: Box): Box {
  return {
    left: Math.max(box.left, by.left),
    top: Math.max(box.top, by.top),
    right: Math.min(box.right, by.right),
    bottom: Math.min(box.bottom, by.bottom),
  };
}

/**
 * Can come into sight by scrolling: neither beyond the left or upper edge of the page, nor in a box that is
 * folded to nothing.
 */
export function isInReach(element: Element, box = boxOf(element)): boolean {
  const { defaultView, documentElement } = element.ownerDocument;
  let left = box;
  let isLifted = false;
  for (const outer of lineOf(element)) {
    const { position, overflowX, overflowY } = styleOf(outer);
    const isOuter = outer !== element && outer !== documentElement && outer.localName !== 'body';
    const isAround = isOuter && !(isLifted && position === 'static');
    if (isAround && `${overflowX} ${overflowY}` !== 'visible visible') {
      left = boxOf(outer);
      if (!isLarge(left)) return false;
    }
    if (position === 'fixed') return touches(left, viewportOf(outer));
    if (isAround || outer === element) isLifted = position === 'absolute';
  }
  const { scrollX = 0, scrollY = 0 } = defaultView ?? {};
  const isToLeft = styleOf(documentElement).direction === 'rtl';
  return left.bottom + scrollY > 0 && (isToLeft || left.right + scrollX > 0);
}

export function viewportOf({ ownerDocument }: Element): Box {
  return inWalk(ownerDocument.documentElement, viewport);
}

function viewport({ clientWidth, clientHeight }: Element): Box {
  return { left: 0, top: 0, right: clientWidth, bottom: clientHeight };
}
