import type { Point } from '../perceive/hit-test.ts';
import { USUAL, viewOf } from './page-events.ts';
import { hoverOver, pressDown, senderFor } from './pointer.ts';

/** Moves between two points of a drag: sliders and sortable lists follow them. */
const STOPS = 6;

/** A native drag when the source is draggable, else a held mouse button along the points. True when native. */
export function dragAlong(
  source: Element,
  end: Element,
  points: readonly Point[],
  at: (point: Point) => Element,
  stops = STOPS,
): boolean {
  const [from = { x: 0, y: 0 }] = points;
  const to = points.at(-1) ?? from;
  hoverOver(source, from);
  const goesOn = pressDown(source, senderFor(source, from, {}, 1));
  const carrier = source.closest('[draggable=true], a[href], img');
  const carried = new (viewOf(source).DataTransfer)();
  // Unless the page cancels the drag.
  if (carrier !== null && sendDrag(carrier, 'dragstart', from, carried)) {
    dropData(end, to, carried);
    sendDrag(carrier, 'dragend', to, carried);
    return true;
  }
  const send = (point: Point, step: string) => {
    const sender = senderFor(at(point), point, {}, 1);
    sender(`pointer${step}`);
    if (goesOn) sender(`mouse${step}`);
  };
  for (const [index, next] of points.slice(1).entries()) {
    const last = points[index] ?? from;
    for (let stop = 1; stop <= stops; stop++) send(between(last, next, stop / stops), 'move');
  }
  send(to, 'up');
  return false;
}

function between(one: Point, other: Point, share: number): Point {
  return { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
}

/** Whether the target accepted the drop, by cancelling `dragover`. */
export function dropData(element: Element, point: Point, dataTransfer: DataTransfer): boolean {
  sendDrag(element, 'dragenter', point, dataTransfer);
  const isTaken = !sendDrag(element, 'dragover', point, dataTransfer);
  sendDrag(element, isTaken ? 'drop' : 'dragleave', point, dataTransfer);
  return isTaken;
}

function sendDrag(element: Element, type: string, point: Point, dataTransfer: DataTransfer): boolean {
  const view = viewOf(element);
  const init = { ...USUAL, view, dataTransfer, clientX: point.x, clientY: point.y };
  return element.dispatchEvent(new view.DragEvent(type, init));
}
