import { isEditable, isInput } from '../secrets/secret-field.ts';
import { declaresListener } from './framework-listener.ts';
import { claimedRole, hasTrait } from './role.ts';

/**
 * Reasons that an element counts as actionable, the surest first.
 * - `control`: by HTML tag, by ARIA role, or because it is editable
 * - `listens`: it has a listener, or a framework stores one for it
 * - `focusable`: the keyboard can reach it
 * - `pointer`: it has a hand cursor that its parent lacks
 * - `maybe`: it can be dragged over, hovered, drawn on, or lies in a container that listens; only in a view
 */
export type Reason = 'control' | 'listens' | 'focusable' | 'pointer' | 'maybe';

/** Elements with a listener for presses, from a host that can see them. */
export type ListenerHint = ((element: Element) => boolean) | ReadonlySet<Element>;

type Test = (element: Element) => boolean;
const always: Test = () => true;
const hasAddress: Test = (element) => element.hasAttribute('href') || element.hasAttribute('xlink:href');
const hasControls: Test = (element) => element.hasAttribute('controls');

/** https://html.spec.whatwg.org/multipage/dom.html#interactive-content */
const CONTROLS: Readonly<Record<string, Test>> = {
  a: hasAddress,
  area: hasAddress,
  audio: hasControls,
  button: always,
  input: (element) => !isInput(element) || element.type !== 'hidden',
  select: always,
  summary: (element) => element.parentElement?.localName === 'details',
  textarea: always,
  video: hasControls,
};

/** Judges by attributes and properties, without style or layout. */
export function reasonToList(element: Element, listenerHint?: ListenerHint): Reason | undefined {
  if (isControl(element)) return 'control';
  if (isKnownToListen(element, listenerHint) || declaresListener(element) || isDraggable(element))
    return 'listens';
  return isTabStop(element) ? 'focusable' : undefined;
}

export function isControl(element: Element): boolean {
  const test = Object.hasOwn(CONTROLS, element.localName) ? CONTROLS[element.localName] : undefined;
  if (test?.(element) === true) return true;
  if (!element.hasAttributes()) return false;
  return hasTrait(claimedRole(element), 'w') || isEditable(element);
}

export function isKnownToListen(element: Element, hint: ListenerHint | undefined): boolean {
  if (hint === undefined) return false;
  return typeof hint === 'function' ? hint(element) : hint.has(element);
}

export const isDraggable = (element: Element): boolean => element.getAttribute('draggable') === 'true';

function isTabStop(element: Element): boolean {
  const tabindex = element.getAttribute('tabindex');
  return tabindex !== null && Number.parseInt(tabindex, 10) >= 0;
}
