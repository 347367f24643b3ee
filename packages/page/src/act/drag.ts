import type { Point } from '../perceive/hit-test.ts';
import { hoverOver, pressDown, senderFor } from './pointer.ts';
import { viewOf } from './text-field.ts';

export interface DragEnd {
  readonly element: Element;
  readonly point: Point;
}

/** How many stops a drag makes on its way: sliders and sortable lists follow the moves. */
const STOPS = 6;

/** From one place to another: as a native drag when the source can be dragged, else as a mouse held down. */
export function dragFromTo(from: DragEnd, to: DragEnd): void {
  hoverOver(from.element, from.point);
  pressDown(from.element, senderFor(from.element, from.point, {}, 1));
  const source = from.element.closest('[draggable=true], a[href], img');
  const carried = source === null ? undefined : carry(source, from.point);
  if (carried !== undefined && source !== null) dropOn(to, source, carried);
  else moveTo(from, to);
}

function moveTo(from: DragEnd, to: DragEnd): void {
  for (let stop = 1; stop <= STOPS; stop++) {
    const point = between(from.point, to.point, stop / STOPS);
    const under = stop === STOPS ? to.element : from.element;
    const send = senderFor(under, point, {}, 1);
    send('PointerEvent', 'pointermove');
    send('MouseEvent', 'mousemove');
  }
  const send = senderFor(to.element, to.point, {}, 1);
  send('PointerEvent', 'pointerup', { buttons: 0 });
  send('MouseEvent', 'mouseup', { buttons: 0 });
}

function between(one: Point, other: Point, share: number): Point {
  return { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
}

/** Undefined when the page does not let it be dragged. */
function carry(source: Element, point: Point): DataTransfer | undefined {
  const dataTransfer = new (viewOf(source).DataTransfer)();
  return sendDrag(source, 'dragstart', point, dataTransfer) ? dataTransfer : undefined;
}

function dropOn({ element, point }: DragEnd, source: Element, dataTransfer: DataTransfer): void {
  dropData(element, point, dataTransfer);
  sendDrag(source, 'dragend', point, dataTransfer);
}

/** Whether the place took it: a page says so by cancelling `dragover`. */
export function dropData(element: Element, point: Point, dataTransfer: DataTransfer): boolean {
  sendDrag(element, 'dragenter', point, dataTransfer);
  const isTaken = !sendDrag(element, 'dragover', point, dataTransfer);
  sendDrag(element, isTaken ? 'drop' : 'dragleave', point, dataTransfer);
  return isTaken;
}

function sendDrag(element: Element, type: string, point: Point, dataTransfer: DataTransfer): boolean {
  const view = viewOf(element);
  const init = {
    bubbles: true,
    cancelable: true,
    composed: true,
    view,
    dataTransfer,
    clientX: point.x,
    clientY: point.y,
  };
  return element.dispatchEvent(new view.DragEvent(type, init));
}
