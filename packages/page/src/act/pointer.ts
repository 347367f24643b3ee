import { composedParent, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { deepElementFromPoint, type Point } from '../perceive/hit-test.ts';
import type { Modifier } from './workplace.ts';

export interface PointerOptions {
  readonly button?: 'left' | 'middle' | 'right';
  readonly modifiers?: readonly Modifier[];
}

const BUTTONS = { left: 0, middle: 1, right: 2 };

/** What a press at a point of the element's document reaches first: the innermost part of it. */
export function reachedBy(element: Element, point: Point, shadowRootOf: ShadowRootOf): Element {
  const hit = deepElementFromPoint(element.ownerDocument, point, shadowRootOf);
  for (let outer: Element | null = hit ?? null; outer !== null; outer = composedParent(outer)) {
    if (outer === element && hit !== undefined) return hit;
  }
  return element;
}

/** The events of a mouse coming to rest on an element: https://w3c.github.io/pointerevents/#the-pointerenter-event */
export function hoverOver(element: Element, point: Point): void {
  const send = senderFor(element, point, {}, 0);
  send('PointerEvent', 'pointerover');
  send('PointerEvent', 'pointerenter', { bubbles: false });
  send('MouseEvent', 'mouseover');
  send('MouseEvent', 'mouseenter', { bubbles: false });
  send('PointerEvent', 'pointermove');
  send('MouseEvent', 'mousemove');
}

/** A click as the page sees one. The last event, `click`, is what makes a link or a button work. */
export function clickOn(element: Element, point: Point, count: number, options: PointerOptions = {}): void {
  hoverOver(element, point);
  for (let press = 1; press <= count; press++) {
    const send = senderFor(element, point, options, press);
    const goesOn = pressDown(element, send);
    send('PointerEvent', 'pointerup', { buttons: 0 });
    if (goesOn) send('MouseEvent', 'mouseup', { buttons: 0 });
    if (options.button === 'right') send('MouseEvent', 'contextmenu', { buttons: 0 });
    else send('PointerEvent', options.button === 'middle' ? 'auxclick' : 'click', { buttons: 0 });
    if (press === 2 && options.button === undefined) send('MouseEvent', 'dblclick', { buttons: 0 });
  }
}

export type Send = (kind: 'PointerEvent' | 'MouseEvent', type: string, extra?: MouseEventInit) => boolean;

/** A cancelled pointerdown keeps the mouse events away, a cancelled mousedown the focus. */
export function pressDown(element: Element, send: Send): boolean {
  const goesOn = send('PointerEvent', 'pointerdown');
  if (goesOn && send('MouseEvent', 'mousedown')) focusFrom(element);
  return goesOn;
}

export function senderFor(element: Element, point: Point, options: PointerOptions, count: number): Send {
  const view = element.ownerDocument.defaultView ?? window;
  const { button = 'left', modifiers = [] } = options;
  const common: PointerEventInit = {
    bubbles: true,
    cancelable: true,
    composed: true,
    view,
    detail: count,
    clientX: point.x,
    clientY: point.y,
    button: BUTTONS[button],
    buttons: count === 0 ? 0 : 1 << (button === 'left' ? 0 : button === 'right' ? 1 : 2),
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

/** The focus goes to the nearest element that can have it, as after a real mousedown; else it is lost. */
export function focusFrom(element: Element): void {
  const document = element.ownerDocument;
  for (let outer: Element | null = element; outer !== null; outer = composedParent(outer)) {
    if (!isFocusable(outer)) continue;
    outer.focus({ preventScroll: true });
    return;
  }
  if (document.activeElement !== null && isFocusable(document.activeElement)) document.activeElement.blur();
}

const FOCUSABLE =
  'a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]:not([contenteditable=false])';

export function isFocusable(element: Element): element is HTMLElement {
  return 'focus' in element && element.matches(FOCUSABLE) && !element.matches(':disabled');
}
