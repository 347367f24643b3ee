import type { Point } from '@drawbridge/page';
import type { InputOf } from '@drawbridge/protocol/primitives';

type Press = Pick<InputOf<'pointer.click'>, 'button' | 'modifiers'>;

const BUTTONS = { left: 0, middle: 1, right: 2 };
const HELD = { left: 1, middle: 4, right: 2 };

/** Synthetic pointer events, which a page can tell from a person's. */
export function moveOver(element: Element, point: Point): void {
  const send = senderFor(element, point, {}, 0);
  send('PointerEvent', 'pointerover');
  send('PointerEvent', 'pointerenter', { bubbles: false });
  send('MouseEvent', 'mouseover');
  send('MouseEvent', 'mouseenter', { bubbles: false });
  send('PointerEvent', 'pointermove');
  send('MouseEvent', 'mousemove');
}

/** The last event, `click`, activates a link or button. */
export function clickAt(element: Element, point: Point, count: number, press: Press = {}): void {
  const { button = 'left' } = press;
  moveOver(element, point);
  for (let time = 1; time <= count; time++) {
    const send = senderFor(element, point, press, time);
    const goesOn = pressDown(element, send);
    send('PointerEvent', 'pointerup', { buttons: 0 });
    if (goesOn) send('MouseEvent', 'mouseup', { buttons: 0 });
    if (button === 'right') send('MouseEvent', 'contextmenu', { buttons: 0 });
    else send('PointerEvent', button === 'middle' ? 'auxclick' : 'click', { buttons: 0 });
    if (time === 2) send('MouseEvent', 'dblclick', { buttons: 0 });
  }
}

export interface End {
  readonly element: Element;
  readonly point: Point;
}

/** A native drag when the source is draggable, else a held mouse button. True when native. */
export function dragAlong(from: End, to: End, steps: number, at: (point: Point) => Element): boolean {
  moveOver(from.element, from.point);
  pressDown(from.element, senderFor(from.element, from.point, {}, 1));
  const source = from.element.closest('[draggable=true], a[href], img');
  const view = viewOf(from.element);
  const dataTransfer = new view.DataTransfer();
  if (source !== null && sendDrag(source, 'dragstart', from.point, dataTransfer)) {
    sendDrag(to.element, 'dragenter', to.point, dataTransfer);
    const isTaken = !sendDrag(to.element, 'dragover', to.point, dataTransfer);
    sendDrag(to.element, isTaken ? 'drop' : 'dragleave', to.point, dataTransfer);
    sendDrag(source, 'dragend', to.point, dataTransfer);
    return true;
  }
  for (let step = 1; step <= steps; step++) {
    const point = between(from.point, to.point, step / steps);
    const send = senderFor(at(point), point, {}, 1);
    send('PointerEvent', 'pointermove');
    send('MouseEvent', 'mousemove');
  }
  const send = senderFor(to.element, to.point, {}, 1);
  send('PointerEvent', 'pointerup', { buttons: 0 });
  send('MouseEvent', 'mouseup', { buttons: 0 });
  return false;
}

const between = (one: Point, other: Point, share: number): Point => ({
  x: one.x + (other.x - one.x) * share,
  y: one.y + (other.y - one.y) * share,
});

type Send = (kind: 'PointerEvent' | 'MouseEvent', type: string, extra?: MouseEventInit) => boolean;

/** A cancelled pointerdown suppresses mouse events, a cancelled mousedown the focus. */
function pressDown(element: Element, send: Send): boolean {
  const goesOn = send('PointerEvent', 'pointerdown');
  if (goesOn && send('MouseEvent', 'mousedown')) focusNear(element);
  return goesOn;
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]';

function focusNear(element: Element): void {
  const near = element.closest(FOCUSABLE);
  if (near !== null && 'focus' in near && typeof near.focus === 'function')
    near.focus({ preventScroll: true });
}

function senderFor(
  element: Element,
  { x, y }: Point,
  { button = 'left', modifiers = [] }: Press,
  count: number,
): Send {
  const view = viewOf(element);
  const common: PointerEventInit = {
    bubbles: true,
    cancelable: true,
    composed: true,
    view,
    detail: count,
    clientX: x,
    clientY: y,
    button: BUTTONS[button],
    buttons: count === 0 ? 0 : HELD[button],
    altKey: modifiers.includes('Alt'),
    ctrlKey: modifiers.includes('Control'),
    metaKey: modifiers.includes('Meta'),
    shiftKey: modifiers.includes('Shift'),
    pointerId: 1,
    pointerType: 'mouse',
    isPrimary: true,
  };
  return (kind, type, extra = {}) => element.dispatchEvent(new view[kind](type, { ...common, ...extra }));
}

function sendDrag(element: Element, type: string, { x, y }: Point, dataTransfer: DataTransfer): boolean {
  const view = viewOf(element);
  const init = {
    bubbles: true,
    cancelable: true,
    composed: true,
    view,
    dataTransfer,
    clientX: x,
    clientY: y,
  };
  return element.dispatchEvent(new view.DragEvent(type, init));
}

const viewOf = (element: Element): Window & typeof globalThis => element.ownerDocument.defaultView ?? window;
