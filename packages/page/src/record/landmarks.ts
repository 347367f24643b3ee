import { isVisible } from '../perceive/visibility.ts';
import type { Landmark } from './recording.ts';

/** Elements that show an outcome: headings, messages, dialogs, and elements with test ids. */
const LANDMARK_SELECTOR =
  'h1, h2, h3, dialog[open], output, [role=dialog], [role=alertdialog], [role=status], [role=alert], [aria-live], [data-testid], [data-test]';
const MAX_LANDMARKS = 60;
const MAX_TEXT_CHARS = 120;

export interface SeenElement extends Landmark {
  readonly element: Element;
}

export function landmarksIn(document: Document, clean: (text: string) => string): SeenElement[] {
  return [...document.querySelectorAll(LANDMARK_SELECTOR)]
    .filter(isVisible)
    .slice(0, MAX_LANDMARKS)
    .map((element) => ({ element, path: pathOf(element), text: clean(textOf(element)) }));
}

/** Ignores the position among its kind; only the number and text count. */
function pathOf(element: Element): string {
  const names = ['id', 'role', 'data-testid', 'data-test'].map((name) => element.getAttribute(name) ?? '');
  return clipped([element.localName, ...names].join('|'));
}

const textOf = (element: Element): string => clipped((element.textContent ?? '').replace(/\s+/g, ' ').trim());

const clipped = (text: string): string => text.slice(0, MAX_TEXT_CHARS);
