import { composedParent } from '../perceive/composed-tree.ts';
import { isControl } from '../perceive/control.ts';
import { claimedRole, hasTrait } from '../perceive/role.ts';
import { cutText, isElement, isText, isUnseenTag, tidy } from '../perceive/text.ts';
import { inWalk } from '../perceive/walk-cache.ts';
import { isField } from '../secrets/secret-field.ts';

const LABELS = 'h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, th[scope=row], [role=rowheader]';
const ITEM_TAGS = new Set(['article', 'li', 'option', 'tr']);
const CONTROL_TAGS = new Set(['button', 'label', 'output', 'time', 'summary']);
const LABEL_LIMIT = 100;
const CLIMB_LIMIT = 8;
/** A larger container is a section of the page, whose text identifies no single element. */
const MOST_ELEMENTS = 200;
/** Runs for every element of every snapshot: a look at siblings must be short. */
const MOST_PEERS = 10;

export interface Surroundings {
  readonly words: string;
  /** The element with this text: a recycled row rewrites it. */
  readonly source: Element;
}

/**
 * The surroundings of an element, as the nearest visible text: the row of a "Delete", the question of a
 * "Confirm". A list that recycles its nodes changes this text and keeps the button's own name.
 */
export function surroundingsOf(element: Element): string {
  return findSurroundings(element)?.words ?? '';
}

export function findSurroundings(element: Element): Surroundings | undefined {
  return inWalk(element, seekSurroundings);
}

function seekSurroundings(element: Element): Surroundings | undefined {
  let inner = element;
  for (let level = 0; level < CLIMB_LIMIT; level++) {
    const container = composedParent(inner);
    if (container === null || container.localName === 'body') return undefined;
    // Beyond its item, loose text belongs to another item.
    if (inner === element ? isTile(element) : isItem(inner) || hasTwinBeside(inner, element))
      return headingOver(inner);
    if (inWalk(container, isPartOfPage)) return headingOver(inner);
    const isRow = isOneOfMany(container);
    const words =
      firstWords(container, element, isRow) ?? (isRow ? firstCode(container, element) : undefined);
    const source = givenLabel(container, element) ?? words?.parentElement;
    if (source != null) return { words: labelWords(source), source };
    inner = container;
  }
  return undefined;
}

function isItem(element: Element): boolean {
  return ITEM_TAGS.has(element.localName) || hasTrait(claimedRole(element), 'i');
}

/** A row, card or tile itself: the words around it are those of other ones, which come and go. */
function isTile(element: Element): boolean {
  if (isItem(element)) return true;
  const { localName, classList, parentElement } = element;
  const [kind] = classList;
  const isLike = (other: Element) => other.localName === localName && other.classList[0] === kind;
  // Two boxes without a class may as well be a text and its button.
  const fewest = kind === undefined ? 3 : 2;
  return !isControl(element) && [...(parentElement?.children ?? [])].filter(isLike).length >= fewest;
}

/** In these, even a link may be the identifying text. */
function isOneOfMany(element: Element): boolean {
  return isItem(element) || neighboursLike(element).length > 0;
}

/**
 * A row made of plain divs: its sibling has the same button. A table cell is not one, because the next cell
 * has another button or none.
 */
function hasTwinBeside(container: Element, element: Element): boolean {
  return neighboursLike(container).some((neighbour) =>
    [...neighbour.getElementsByTagName(element.localName)]
      .slice(0, MOST_PEERS)
      .some((other) => inWalk(other, ownWords) === inWalk(element, ownWords)),
  );
}

function ownWords(element: Element): string {
  return tidy(element.textContent ?? '') || (element.getAttribute('aria-label') ?? '');
}

function neighboursLike(element: Element): Element[] {
  const { previousElementSibling, nextElementSibling, localName, className } = element;
  return [previousElementSibling, nextElementSibling].flatMap((other) =>
    other?.localName === localName && other.className === className ? other : [],
  );
}

function givenLabel(container: Element, element: Element): Element | undefined {
  if (container.getAttribute('aria-label')?.trim()) return container;
  return inWalk(container, labelsIn).find((label) => !element.contains(label));
}

function labelsIn(container: Element): Element[] {
  return [...container.querySelectorAll(LABELS)].filter((label) => tidy(label.textContent ?? '') !== '');
}

function isPartOfPage(container: Element): boolean {
  return container.getElementsByTagName('*').length > MOST_ELEMENTS;
}

function labelWords(source: Element): string {
  const given = tidy(source.getAttribute('aria-label') ?? '');
  if (given !== '') return cutText(given, LABEL_LIMIT);
  const text = source.matches(LABELS) ? source : (firstWords(source, source, true) ?? source);
  return cutText(tidy(text.textContent ?? ''), LABEL_LIMIT);
}

/** The heading of an item's list, beside the list or beside its container. */
function headingOver(item: Element): Surroundings | undefined {
  let inner = item;
  for (let level = 0; level < 3; level++) {
    const container = composedParent(inner);
    if (container === null || container.localName === 'body') return undefined;
    const heading = [...container.children].slice(0, MOST_PEERS).find((child) => child.matches(LABELS));
    const source = container.getAttribute('aria-label')?.trim() ? container : heading;
    if (source !== undefined) return { words: labelWords(source), source };
    inner = container;
  }
  return undefined;
}

/** The first text that belongs neither to a control nor to the element itself. */
function firstWords(
  node: Node,
  except: Element,
  withLinks: boolean,
  pattern = /\p{L}{2}/u,
): Text | undefined {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) {
      if (pattern.test(child.data)) return child;
    } else if (isElement(child) && child !== except && !isSilent(child, withLinks)) {
      const words = firstWords(child.shadowRoot ?? child, except, withLinks, pattern);
      if (words !== undefined) return words;
    }
  }
  return undefined;
}

/** A row without words may still have a code: `A-12`. A bare number may be a count, which changes. */
const firstCode = (container: Element, except: Element): Text | undefined =>
  firstWords(container, except, true, /\p{L}.*\p{N}|\p{N}.*\p{L}/u);

function isSilent(element: Element, withLinks: boolean): boolean {
  if (element.localName === 'a' && !withLinks) return true;
  return isUnseenTag(element) || isField(element) || CONTROL_TAGS.has(element.localName);
}
