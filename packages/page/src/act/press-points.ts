import { coverAround, deepElementFromPoint, type Point, pressTarget, reaches } from '../perceive/hit-test.ts';
import type { ActionContext } from './action-context.ts';
import { viewOf } from './page-events.ts';
import {
  covered,
  onceStill,
  type PressPoint,
  requirePressable,
  requireUsable,
  unready,
} from './readiness.ts';
import { refusal } from './refusal.ts';
import type { Target } from './target.ts';

/** In CSS pixels: from the top left corner of the element, or of the viewport where no element is named. */
export type Pair = readonly [number, number];

export interface Way {
  /** The point to press, in place of the middle. */
  readonly at?: Pair;
  /** Where a drag ends: another element, with `to` a point in it, else a point, or a distance from its start. */
  readonly to_id?: string;
  readonly to?: Pair;
  readonly by?: Pair;
  /** All points of the way, in place of `at` and `to`. */
  readonly path?: readonly Pair[];
}

/** The point of an element to press: its middle, or `at`. Synchronous unless the element moves. */
export function pressPoint(
  target: Target,
  at: Pair | undefined,
  context: ActionContext,
): PressPoint | Promise<PressPoint> {
  if (at === undefined) return requirePressable(target, context);
  return onceStill(target, context, () => freeAt(target, at, context));
}

function freeAt(target: Target, at: Pair, context: ActionContext): PressPoint {
  requireUsable(target, context);
  const { shadowRootOf } = context;
  const element = pressTarget(target.element);
  const { width, height } = element.getBoundingClientRect();
  const [x, y] = at;
  if (x < 0 || y < 0 || x > width || y > height) {
    const size = `${Math.round(width)} × ${Math.round(height)}`;
    throw unready(target, 'wrong_value', `is ${size} pixels: the point ${x}, ${y} is outside.`, context);
  }
  const hitAt = () => {
    const point = corner(element, at);
    return { point, hit: deepElementFromPoint(element.ownerDocument, point, shadowRootOf) };
  };
  let { point, hit } = hitAt();
  if (hit === undefined || !reaches(hit, element, shadowRootOf)) {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    ({ point, hit } = hitAt());
    const view = viewOf(element);
    // A box larger than the window: the point itself must come into view.
    if (hit === undefined) {
      const { innerWidth, innerHeight } = view;
      view.scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: 'instant' });
      ({ point, hit } = hitAt());
    }
  }
  if (hit === undefined) throw unready(target, 'off_screen', 'cannot be scrolled into view there.', context);
  const cover = reaches(hit, element, shadowRootOf) ? coverAround(element, point, shadowRootOf) : hit;
  if (cover !== undefined) throw covered(target, cover, context);
  return { point, element: target.element };
}

/** A point from the top left corner of an element, in its document. */
export function corner(element: Element, [x, y]: Pair): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: left + x, y: top + y };
}

export const asPoint = ([x, y]: Pair): Point => ({ x, y });

export function missingPoint(action: string): Error {
  const message = `${action} needs an id or a point to begin at, and a drag also where it ends.`;
  return refusal('invalid_input', 'wrong_value', message);
}
