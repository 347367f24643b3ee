import type { OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';
import { deepElementFromPoint, type Point } from '../perceive/hit-test.ts';
import type { InPageContext } from './in-page-context.ts';
import { cut, shownTextOf, tidy } from './readable-text.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface BoundingBox extends Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type PointTarget = OutputOf<'pointer.click'>['target'];

export function boxOf(element: Element): BoundingBox {
  const { x, y, width, height, left, top, right, bottom } = element.getBoundingClientRect();
  return { x, y, width, height, left, top, right, bottom };
}

/** The visible part of a box; undefined when none is. */
export function visiblePart(box: BoundingBox, { innerWidth, innerHeight }: Window): Box | undefined {
  const x = Math.max(0, box.left);
  const y = Math.max(0, box.top);
  const width = Math.min(innerWidth, box.right) - x;
  const height = Math.min(innerHeight, box.bottom) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

export const middleOf = ({ x, y, width, height }: Box): Point => ({
  x: Math.round(x + width / 2),
  y: Math.round(y + height / 2),
});

/** The innermost element at a point; fails when the point is outside the viewport. */
export function elementAt(point: Point, { document, window }: InPageContext): Element {
  const { innerWidth: width, innerHeight: height } = window;
  if (point.x < 0 || point.y < 0 || point.x >= width || point.y >= height) {
    const message = `${point.x}, ${point.y} is outside the viewport of ${width} by ${height}. Scroll first.`;
    throw new PageError('invalid_input', message, {
      reason: 'point_out_of_viewport',
      viewport: { width, height },
    });
  }
  const element = deepElementFromPoint(document, point);
  if (element !== undefined) return element;
  throw new PageError('target_not_found', `Nothing is at ${point.x}, ${point.y}.`, {
    reason: 'nothing_there',
  });
}

const TEXT_CHARS = 240;

export function describePoint(element: Element, { window, pageInternals }: InPageContext): PointTarget {
  const type: unknown = Reflect.get(element, 'type');
  const pressed = element.closest('a, button, [role]') ?? element;
  return {
    tag_name: element.localName,
    id: element.id,
    class_name: element.getAttribute('class') ?? '',
    role: pressed.getAttribute('role') ?? '',
    data_testid: element.getAttribute('data-testid'),
    type: typeof type === 'string' && type !== '' ? type : null,
    text: cut(tidy(shownTextOf(element, pageInternals.cleaner())), TEXT_CHARS),
    disabled: pressed.matches(':disabled'),
    aria_disabled: pressed.getAttribute('aria-disabled') === 'true',
    bounding_box: boxOf(element),
    viewport: { width: window.innerWidth, height: window.innerHeight },
  };
}
