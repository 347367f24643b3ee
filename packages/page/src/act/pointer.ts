import { lineOf, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { deepElementFromPoint, type Point } from '../perceive/hit-test.ts';
import type { Modifier } from './action-context.ts';
import { modifierKeys, USUAL, viewOf } from './page-events.ts';

export interface PointerOptions {
  readonly button?: 'left' | 'middle' | 'right';
  readonly modifiers?: readonly Modifier[];
  /** Leaves the focus alone. */
  readonly quiet?: boolean;
}

const BUTTONS = { left: 0, middle: 1, right: 2 };

/** The innermost element that a press at a point of the element's document reaches. */
export function reachedBy(element: Element, point: Point, shadowRootOf: ShadowRootOf): Element {
  const hit = deepElementFromPoint(element.ownerDocument, point, shadowRootOf);
  return hit !== undefined && lineOf(hit).includes(element) ? hit : element;
}

/** Events of a mouse coming to rest on an element: https://w3c.github.io/pointerevents/#the-pointerenter-event */
export function hoverOver(element: Element, point: Point): void {
  const send = senderFor(element, point, {}, 0);
  for (const step of ['over', 'enter', 'move']) {
    send(`pointer${step}`);
    send(`mouse${step}`);
  }
}

/** The events of a click. The last one, `click`, activates a link or button. */
export function clickOn(element: Element, point: Point, count: number, options: PointerOptions = {}): void {
  hoverOver(element, point);
  pressOn(element, point, count, options);
}

/** The same for a pointer already in place. `requireSame` fails when the page has changed the target. */
export function pressOn(
  element: Element,
  point: Point,
  count: number,
  options: PointerOptions = {},
  requireSame = () => {},
): void {
  const { button = 'left' } = options;
  for (let press = 1; press <= count; press++) {
    const send = senderFor(element, point, options, press);
    if (press > 1) requireSame();
    const goesOn = pressDown(element, send, options.quiet);
    send('pointerup');
    if (goesOn) send('mouseup');
    requireSame();
    send(CLICKS[button]);
    if (press === 2 && button === 'left') send('dblclick');
  }
}

const CLICKS = { left: 'click', middle: 'auxclick', right: 'contextmenu' };

/** False when the page cancels it. */
export type Send = (type: string) => boolean;

/** A cancelled pointerdown suppresses mouse events, a cancelled mousedown the focus. */
export function pressDown(element: Element, send: Send, isQuiet = false): boolean {
  const goesOn = send('pointerdown');
  if (goesOn && send('mousedown') && !isQuiet) focusFrom(element);
  return goesOn;
}

export function senderFor(element: Element, point: Point, options: PointerOptions, count: number): Send {
  const view = viewOf(element);
  const { button = 'left', modifiers = [] } = options;
  const held = count === 0 ? 0 : { left: 1, middle: 4, right: 2 }[button];
  const common: PointerEventInit = {
    ...USUAL,
    ...modifierKeys(modifiers),
    view,
    detail: count,
    clientX: point.x,
    clientY: point.y,
    button: BUTTONS[button],
    pointerId: 1,
    pointerType: 'mouse',
    isPrimary: true,
  };
  return (type) => {
    const Kind = /^(?:mouse|dbl|context)/.test(type) ? view.MouseEvent : view.PointerEvent;
    const buttons = /(?:up|click|menu)$/.test(type) ? 0 : held;
    return element.dispatchEvent(new Kind(type, { ...common, buttons, bubbles: !type.endsWith('enter') }));
  };
}

/** Focuses the nearest focusable ancestor, as a real mousedown does; else clears the focus. */
export function focusFrom(element: Element): void {
  const document = element.ownerDocument;
  const focusable = lineOf(element).find(isFocusable);
  if (focusable !== undefined) focusable.focus({ preventScroll: true });
  else if (document.activeElement !== null && isFocusable(document.activeElement))
    document.activeElement.blur();
}

const FOCUSABLE =
  'a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]:not([contenteditable=false])';

export function isFocusable(element: Element): element is HTMLElement {
  return 'focus' in element && element.matches(FOCUSABLE) && !element.matches(':disabled');
}
