import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { dragAlong } from '../act/drag.ts';
import { hoverOver } from '../act/pointer.ts';
import { PageError } from '../locate/page-error.ts';
import type { Point } from '../perceive/hit-test.ts';
import { describePoint, elementAt, type PointTarget } from './geometry.ts';
import type { InPageContext } from './in-page-context.ts';

const STEPS = 1;

export function move({ x, y }: InputOf<'pointer.move'>, context: InPageContext): OutputOf<'pointer.move'> {
  hoverOver(elementAt({ x, y }, context), { x, y });
  return { x, y };
}

/** The element at a point, for a host that presses there itself. */
export const targetAt = (point: Point, context: InPageContext): PointTarget =>
  describePoint(elementAt(point, context), context);

type Drag = InputOf<'pointer.drag'>;

export interface DragPoints {
  readonly from: Point;
  readonly to: Point;
  readonly source: PointTarget;
}

/** Start and end of a drag, for a host that drags itself. */
export function dragPoints({ from, to }: Drag, context: InPageContext): DragPoints {
  pointOf(to, context);
  const start = pointOf(from, context);
  // Scrolling to one end may have moved the other.
  const end = pointOf(to, context, false);
  return { from: start, to: end, source: targetAt(start, context) };
}

export function drag(args: Drag, context: InPageContext): OutputOf<'pointer.drag'> {
  const { steps = STEPS } = args;
  const { from, to, source } = dragPoints(args, context);
  const at = (point: Point) => elementAt(point, context);
  const native_drag = dragAlong(at(from), at(to), [from, to], at, steps);
  return { dragged: true, from, to, steps, fidelity: 'synthetic', diagnostics: { source, native_drag } };
}

function pointOf(place: Drag['from'], { page }: InPageContext, auto_scroll = true): Point {
  const { x, y, locator, ...described } = place;
  if (x !== undefined && y !== undefined) return { x, y };
  if (locator === undefined && Object.keys(described).length === 0) {
    const message = 'A place needs x and y, or a locator of an element.';
    throw new PageError('invalid_input', message, { reason: 'missing_coordinates' });
  }
  const { clickable_center, occluded_by, tag_name } = page.elementInfo(locator ?? described, { auto_scroll });
  if (clickable_center !== undefined) return clickable_center;
  const message = `The ${tag_name} cannot be reached${occluded_by === undefined ? '' : `: ${occluded_by} is over it`}.`;
  throw new PageError('state_mismatch', message, {
    reason: occluded_by === undefined ? 'hidden' : 'covered',
  });
}
