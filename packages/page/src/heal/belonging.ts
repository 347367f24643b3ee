import { composedParent } from '../perceive/composed-tree.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, isElement, isText, isUnseenTag, tidy } from '../perceive/text.ts';
import { isField } from '../secrets/secret-field.ts';

const LABELS = 'h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, th[scope=row], [role=rowheader]';
const ITEM_ROLES = new Set(['article', 'listitem', 'option', 'row', 'treeitem']);
const LABEL_LIMIT = 100;
const CLIMB_LIMIT = 12;

/**
 * What an element belongs to, in the nearest words a person reads there: the row of a "Delete", the
 * question of a "Confirm". A list that recycles its nodes changes these and leaves the button's own name.
 */
export function belongingOf(element: Element): string {
  let inner = element;
  let outOfItem = false;
  for (let level = 0; level < CLIMB_LIMIT; level++) {
    const outer = composedParent(inner);
    if (outer === null || outer.localName === 'body') return '';
    outOfItem ||= inner !== element && isItem(inner);
    const label = givenLabel(outer, element, outOfItem) || (outOfItem ? '' : firstWords(outer, element));
    if (label !== '') return cutText(label, LABEL_LIMIT);
    inner = outer;
  }
  return '';
}

/** Beyond the item it is in, loose words are another item's. */
function isItem(element: Element): boolean {
  return ITEM_ROLES.has(roleOf(element)) || isOneOfMany(element);
}

/** Cards and rows made of plain divs: neighbours of the same make. */
function isOneOfMany(element: Element): boolean {
  return [element.previousElementSibling, element.nextElementSibling].some(
    (other) => other?.localName === element.localName && other.className === element.className,
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
function firstWords(node: Node, except: Element): string {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) {
      const text = tidy(child.data);
      if (/\p{L}{2}/u.test(text)) return text;
    } else if (isElement(child) && child !== except && !isSilent(child)) {
      const words = firstWords(child.shadowRoot ?? child, except);
      if (words !== '') return words;
    }
  }
  return '';
}

const CONTROL_TAGS = new Set(['button', 'label', 'output', 'time', 'summary']);

function isSilent(element: Element): boolean {
  return isUnseenTag(element) || isField(element) || CONTROL_TAGS.has(element.localName);
}
