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
  if (element.localName === 'svg') return 'box';
  if (element.childElementCount === 0) return undefined;
  const text = element.textContent?.trim().length ?? 0;
  const inside = element.getElementsByTagName('*').length;
  if (inside <= MOST_ELEMENTS && text <= MOST_TEXT && !hasStructure(element)) return undefined;
  if (text > MOST_CARD_TEXT || inside > MOST_ELEMENTS * 4) return 'root';
  return cursor === 'pointer' || isOneOfSeveral(element) ? 'box' : 'root';
}

function hasStructure(element: Element): boolean {
  return element.querySelector(STRUCTURE) !== null || element.querySelectorAll(PARTS).length > 1;
}

function isOneOfSeveral(element: Element): boolean {
  const { previousElementSibling, nextElementSibling, localName, classList } = element;
  return [previousElementSibling, nextElementSibling].some(
    (other) => other?.localName === localName && other.classList[0] === classList[0],
  );
}
