import { isLarge } from './visibility.ts';

/** A host's knowledge of an element's listeners, as words: `drag`, `drop`, `hover`, `draw`. */
export type ListenerKinds = (element: Element) => string | undefined;

const SHAPES = new Set('circle ellipse rect polygon polyline path line image text g'.split(' '));
const TEXT_TAGS = new Set(
  'h1 h2 h3 h4 h5 h6 p label legend caption th option b strong em i small u'.split(' '),
);
const LONGEST_LABEL = 40;
const SMALLEST_PX = 6;
const LARGEST_PX = 120;
const MOST_SHAPES = 60;

/**
 * Things that may react though nothing declares it: parts of a container that listens for them, shapes of a
 * drawing, a canvas. They get ids, and are not called buttons.
 */
export function isPossibleTarget(element: Element, isDelegated: boolean): boolean {
  if (element.localName === 'canvas') return isLarge(element.getBoundingClientRect());
  if (!isDelegated) return false;
  const drawing = element.closest('svg');
  if (drawing !== null && drawing !== element) {
    if (element.localName === 'g' || !SHAPES.has(element.localName)) return false;
    return drawing.getElementsByTagName('*').length <= MOST_SHAPES;
  }
  if (element.childElementCount > 0 || TEXT_TAGS.has(element.localName)) return false;
  const { length } = element.textContent?.trim() ?? '';
  if (length > 0) return length <= LONGEST_LABEL;
  const { width, height } = element.getBoundingClientRect();
  return Math.min(width, height) >= SMALLEST_PX && Math.max(width, height) <= LARGEST_PX;
}
