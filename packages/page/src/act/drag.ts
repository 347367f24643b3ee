import type { Point } from '../perceive/hit-test.ts';
import { USUAL, viewOf } from './page-events.ts';
import { hoverOver, pressDown, senderFor } from './pointer.ts';

export interface DragEnd {
  readonly element: Element;
  readonly point: Point;
}

/** Moves per drag: sliders and sortable lists follow them. */
const STOPS = 6;

/** A native drag when the source is draggable, else a held mouse button. */
export function dragFromTo(from: DragEnd, to: DragEnd): void {
  hoverOver(from.element, from.point);
  pressDown(from.element, senderFor(from.element, from.point, {}, 1));
  const source = from.element.closest('[draggable=true], a[href], img');
  const carried = new (viewOf(from.element).DataTransfer)();
  // Unless the page cancels the drag.
  if (source !== null && sendDrag(source, 'dragstart', from.point, carried)) {
    dropData(to.element, to.point, carried);
    sendDrag(source, 'dragend', to.point, carried);
  } else moveTo(from, to);
}

function moveTo(from: DragEnd, to: DragEnd): void {
  for (let stop = 1; stop <= STOPS; stop++) {
    const isLast = stop === STOPS;
    const point = isLast ? to.point : between(from.point, to.point, stop / STOPS);
    const send = senderFor(isLast ? to.element : from.element, point, {}, 1);
    for (const step of isLast ? ['move', 'up'] : ['move']) {
      send(`pointer${step}`);
      send(`mouse${step}`);
    }
  }
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
