import { composedParent } from '../perceive/composed-tree.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, isElement, isText, isUnseenTag, tidy } from '../perceive/text.ts';
import { isField } from '../secrets/secret-field.ts';

const LABELS = 'h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, th[scope=row], [role=rowheader]';
const ITEM_ROLES = new Set(['article', 'listitem', 'option', 'row', 'treeitem']);
const CONTROL_TAGS = new Set(['button', 'label', 'output', 'time', 'summary']);
const LABEL_LIMIT = 100;
const CLIMB_LIMIT = 12;

/**
 * What an element belongs to, in the nearest words a person reads there: the row of a "Delete", the
 * question of a "Confirm". A list that recycles its nodes changes these and leaves the button's own name.
 */
export function belongingOf(element: Element): string {
  return findBelonging(element)?.words ?? '';
}

/** The words, and the container they were found in. */
export function findBelonging(element: Element): { readonly words: string; readonly container: Element } | undefined {
  let inner = element;
  let outOfItem = false;
  for (let level = 0; level < CLIMB_LIMIT; level++) {
    const outer = composedParent(inner);
    if (outer === null || outer.localName === 'body') return undefined;
    outOfItem ||= inner !== element && (ITEM_ROLES.has(roleOf(inner)) || hasTwinBeside(inner, element));
    const label =
      givenLabel(outer, element, outOfItem) || (outOfItem ? '' : firstWords(outer, element, isItem(outer)));
    if (label !== '') return { words: cutText(label, LABEL_LIMIT), container: outer };
    inner = outer;
  }
  return undefined;
}

/** One of several of its kind: here even a link may be the words that tell which. */
function isItem(element: Element): boolean {
  return ITEM_ROLES.has(roleOf(element)) || neighboursLike(element).length > 0;
}

/**
 * A row made of plain divs: the one beside it has the same button. Beyond it, loose words are another
 * row's. A cell is no such thing, though it looks like the next: that has another button, or none.
 */
function hasTwinBeside(container: Element, element: Element): boolean {
  const words = tidy(element.textContent ?? '') || element.getAttribute('aria-label');
  return neighboursLike(container).some((neighbour) =>
    [...neighbour.getElementsByTagName(element.localName)].some(
      (other) => (tidy(other.textContent ?? '') || other.getAttribute('aria-label')) === words,
    ),
  );
}

function neighboursLike({
  previousElementSibling,
  nextElementSibling,
  localName,
  className,
}: Element): Element[] {
  return [previousElementSibling, nextElementSibling].flatMap((other) =>
    other?.localName === localName && other.className === className ? other : [],
  );
}

function givenLabel(container: Element, element: Element, outOfItem: boolean): string {
  const given = tidy(container.getAttribute('aria-label') ?? '');
  if (given !== '') return given;
  for (const label of container.querySelectorAll(LABELS)) {
    if (element.contains(label) || (outOfItem && !speaksFor(label, element))) continue;
    const text = tidy(label.textContent ?? '');
    if (text !== '') return text;
  }
  return '';
}

/** A heading speaks for what stands beside it, and in a header for what stands beside that. */
function speaksFor(label: Element, element: Element): boolean {
  const wrapper = label.parentElement;
  return wrapper?.contains(element) === true || wrapper?.parentElement?.contains(element) === true;
}

/** The first words in it that are neither a control's nor the element's own. */
function firstWords(node: Node, except: Element, withLinks: boolean): string {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) {
      const text = tidy(child.data);
      if (/\p{L}{2}/u.test(text)) return text;
    } else if (isElement(child) && child !== except && !isSilent(child, withLinks)) {
      const words = firstWords(child.shadowRoot ?? child, except, withLinks);
      if (words !== '') return words;
    }
  }
  return '';
}

function isSilent(element: Element, withLinks: boolean): boolean {
  if (element.localName === 'a' && !withLinks) return true;
  return isUnseenTag(element) || isField(element) || CONTROL_TAGS.has(element.localName);
}
