import { PageError, type Point } from '@drawbridge/page';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { describePoint, elementAt, type PointTarget } from './geometry.ts';
import { clickAt, dragAlong, moveOver } from './pointer-events.ts';
import type { InPageScene } from './scene.ts';

const STEPS = 1;

export function move({ x, y }: InputOf<'pointer.move'>, scene: InPageScene): OutputOf<'pointer.move'> {
  moveOver(elementAt({ x, y }, scene), { x, y });
  return { x, y };
}

export function click(args: InputOf<'pointer.click'>, scene: InPageScene): OutputOf<'pointer.click'> {
  const { x, y, modifiers = [] } = args;
  const element = elementAt({ x, y }, scene);
  const target = describePoint(element, scene);
  clickAt(element, { x, y }, 1, args);
  return { clicked: true, x, y, modifiers, fidelity: 'synthetic', target };
}

export function doubleClick(
  { x, y }: InputOf<'pointer.double_click'>,
  scene: InPageScene,
): OutputOf<'pointer.double_click'> {
  const element = elementAt({ x, y }, scene);
  const target = describePoint(element, scene);
  clickAt(element, { x, y }, 2);
  return { double_clicked: true, x, y, fidelity: 'synthetic', target };
}

/** The element at a point, for a host that presses there itself. */
export const targetAt = (point: Point, scene: InPageScene): PointTarget =>
  describePoint(elementAt(point, scene), scene);

type Drag = InputOf<'pointer.drag'>;

export interface DragPlaces {
  readonly from: Point;
  readonly to: Point;
  readonly source: PointTarget;
}

/** Start and end of a drag, for a host that drags itself. */
export function dragPlaces({ from, to }: Drag, scene: InPageScene): DragPlaces {
  pointOf(to, scene);
  const start = pointOf(from, scene);
  // Scrolling to one end may have moved the other.
  const end = pointOf(to, scene, false);
  return { from: start, to: end, source: targetAt(start, scene) };
}

export function drag(args: Drag, scene: InPageScene): OutputOf<'pointer.drag'> {
  const { steps = STEPS } = args;
  const { from, to, source } = dragPlaces(args, scene);
  const at = (point: Point) => elementAt(point, scene);
  const native_drag = dragAlong(
    { element: at(from), point: from },
    { element: at(to), point: to },
    steps,
    at,
  );
  return { dragged: true, from, to, steps, fidelity: 'synthetic', diagnostics: { source, native_drag } };
}

function pointOf(place: Drag['from'], { page }: InPageScene, auto_scroll = true): Point {
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
