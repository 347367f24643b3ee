export type Direction = 'down' | 'across';

export interface Scrolling {
  readonly depth: string;
  /** Has more. */
  readonly h: boolean;
}

/** Less than this is rounding, or a border. */
const SMALLEST_SCROLL_PX = 8;
const SCROLLS = /auto|scroll|overlay/;

/** Directions in which a person can scroll the element, apart from the page's own scrolling. */
export function scrollDirection(element: Element, style: CSSStyleDeclaration): Direction | undefined {
  const { overflowY } = style;
  // Both directions or neither: https://www.w3.org/TR/css-overflow-3/#overflow-properties
  if (overflowY === 'visible' || overflowY === 'clip') return undefined;
  const down = SCROLLS.test(overflowY);
  const across = SCROLLS.test(style.overflowX);
  if (!(down || across) || isPageItself(element) || FIELDS.has(element.localName)) return undefined;
  if (down && element.scrollHeight - element.clientHeight > SMALLEST_SCROLL_PX) return 'down';
  return across && element.scrollWidth - element.clientWidth > SMALLEST_SCROLL_PX ? 'across' : undefined;
}

/** The scroll position, and whether more follows: a list that loads on scroll may have more. */
export function scrollingOf(element: Element, direction: Direction): Scrolling {
  const reach =
    direction === 'down'
      ? element.scrollHeight - element.clientHeight
      : element.scrollWidth - element.clientWidth;
  const index = Math.abs(direction === 'down' ? element.scrollTop : element.scrollLeft);
  return {
    depth: percentage(index, reach),
    h: index < reach - 1 || element.getAttribute('aria-busy') === 'true',
  };
}

export function pageScroll(document: Document): string {
  const root = document.scrollingElement ?? document.documentElement;
  return percentage(root.scrollTop, root.scrollHeight - root.clientHeight);
}

const FIELDS = new Set(['textarea', 'input', 'select']);

function isPageItself(element: Element): boolean {
  return (
    element === element.ownerDocument.scrollingElement ||
    element.localName === 'html' ||
    isViewportBody(element)
  );
}

/** A body's overflow applies to the viewport, unless the root element has its own. */
function isViewportBody(element: Element): boolean {
  if (element.localName !== 'body') return false;
  return getComputedStyle(element.ownerDocument.documentElement).overflowY === 'visible';
}

function percentage(index: number, reach: number): string {
  if (reach <= 1) return '0%';
  return `${Math.min(100, Math.round((index / reach) * 100))}%`;
}
