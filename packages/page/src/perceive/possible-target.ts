import { isIcon } from './container.ts';
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

/** `♥ <b>3</b>` is one label. */
const isPhrase = ({ localName, childElementCount }: Element): boolean =>
  PHRASE_TAGS.has(localName) && childElementCount === 0;
const PHRASE_TAGS = new Set('b strong em i small u sup sub br'.split(' '));

const holdsIcon = ({ childElementCount, firstElementChild }: Element): boolean =>
  childElementCount === 1 && firstElementChild?.localName === 'svg' && isIcon(firstElementChild);

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
  const { length } = element.textContent?.trim() ?? '';
  if (length > 0) {
    const isText =
      TEXT_TAGS.has(element.localName) || [...element.children].some((child) => !isPhrase(child));
    return !isText && length <= LONGEST_LABEL;
  }
  // An empty cell only fills a row.
  if (element.localName === 'td' || element.localName === 'th') return false;
  if (element.childElementCount > 0 && !holdsIcon(element)) return false;
  const { width, height } = element.getBoundingClientRect();
  return Math.min(width, height) >= SMALLEST_PX && Math.max(width, height) <= LARGEST_PX;
}

const FEWEST_TILES = 3;

/** Holds little else than small parts of one kind: files, seats, servers. */
export function holdsTiles({ children }: Element): boolean {
  const [first] = children;
  if (first === undefined || children.length < FEWEST_TILES) return false;
  return [...children].every(
    (child) =>
      child.localName === first.localName &&
      child.classList.length > 0 &&
      child.classList[0] === first.classList[0] &&
      (child.textContent?.trim().length ?? 0) <= LONGEST_LABEL,
  );
}
