import { styleOf } from './walk-cache.ts';

/** Parts of a page: an element around one of these is more than its label. */
const STRUCTURE =
  'h1, h2, h3, h4, form, table, ul, ol, section, article, fieldset, input:not([type=hidden]), select, textarea, canvas, [role=heading]';
/** One of these may be a part of a label, two are not. */
const PARTS = 'p, a[href], button, [role=button]';
const MOST_ELEMENTS = 12;
const MOST_TEXT = 120;
const MOST_CARD_TEXT = 600;

/**
 * How an element that listens relates to its content. `box`: a card, pressed itself, whose content stays
 * apart. `root`: it listens for its content and is no target. Undefined: its content is its label.
 */
export type Container = 'box' | 'root';

export function containerOf(element: Element, cursor: string): Container | undefined {
  if (element.localName === 'svg') return isIcon(element) ? undefined : 'box';
  if (element.childElementCount === 0) return undefined;
  const text = element.textContent?.trim().length ?? 0;
  const inside = element.getElementsByTagName('*').length;
  const isSmall = inside <= MOST_ELEMENTS && text <= MOST_TEXT && !hasStructure(element);
  if (isSmall && (cursor === 'pointer' || !hasSeparateParts(element))) return undefined;
  if (text > MOST_CARD_TEXT || inside > MOST_ELEMENTS * 4) return 'root';
  const isBox = cursor === 'pointer' || element.getAttribute('draggable') === 'true';
  return isBox || isOneOfSeveral(element) ? 'box' : 'root';
}

function hasStructure(element: Element): boolean {
  return element.querySelector(STRUCTURE) !== null || element.querySelectorAll(PARTS).length > 1;
}

function isOneOfSeveral(element: Element): boolean {
  const { previousElementSibling, nextElementSibling, localName, classList } = element;
  const isItem = classList.length > 0 || localName === 'li' || localName === 'tr';
  return [previousElementSibling, nextElementSibling].some(
    (other) => isItem && other?.localName === localName && other.classList[0] === classList[0],
  );
}

const FEWEST_BLOCKS = 3;
const LONGEST_LABEL = 30;
const PART_CURSOR = /^(?:pointer|move|grab)$/;

/** A framework draws into these. */
const ROOT = 'main, body, #root, #app, #__next, #__nuxt';
const FEWEST_TEXTS = 4;

/** Several blocks or texts, parts with a hand cursor, or a sentence: the container listens for its content. */
function hasSeparateParts(element: Element): boolean {
  if (textsIn(element) >= (element.matches(ROOT) ? 2 : FEWEST_TEXTS)) return true;
  const parts = [...element.children].filter((child) => (child.textContent ?? '').trim() !== '');
  if (parts.some(({ localName, textContent }) => localName === 'p' && textContent.length > LONGEST_LABEL))
    return true;
  const styles = parts.map(styleOf);
  const blocks = styles.filter(({ display }) => !/^(?:inline|contents|none)/.test(display));
  return blocks.length >= FEWEST_BLOCKS || styles.filter(({ cursor }) => PART_CURSOR.test(cursor)).length > 1;
}

/** How many innermost elements have text. */
function textsIn(element: Element): number {
  const leaves = [...element.getElementsByTagName('*')].filter((each) => each.childElementCount === 0);
  return leaves.filter(({ textContent }) => textContent?.trim() !== '').length;
}

const MOST_ICON_PARTS = 8;
const LARGEST_ICON_PX = 64;

/** A small drawing without words: it names the press, and contains no targets. */
export function isIcon(drawing: Element): boolean {
  if (drawing.getElementsByTagName('*').length > MOST_ICON_PARTS || drawing.querySelector('text') !== null)
    return false;
  const { width, height } = drawing.getBoundingClientRect();
  return Math.max(width, height) <= LARGEST_ICON_PX;
}
