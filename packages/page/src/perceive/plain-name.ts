import { isEditable, isInput, isSelect, isTextArea } from '../secrets/secret-field.ts';
import { isElement, isText, tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

/** Named by what is in them, whatever else they are. */
const ROOT_TAGS = new Set('a button summary option h1 h2 h3 h4 h5 h6'.split(' '));
const ROOT_ROLES = new Set('button link tab menuitem option switch'.split(' '));
/** Inside a name these are nothing but their contents. */
const INNER_TAGS = new Set(
  'a abbr article b bdi cite div em figcaption figure h1 h2 h3 h4 h5 h6 i li p picture s small source span strong sub sup time u ul'.split(
    ' ',
  ),
);
/** With one of these an element is more than its contents. */
const NAMING_ATTRIBUTES = ['aria-labelledby', 'aria-label', 'aria-owns', 'role'];

/**
 * The name of a link, button or heading made of text, plain elements and pictures, or of a field with one
 * such label: most of them. The same as the whole algorithm (https://www.w3.org/TR/accname-1.2/) gives, which
 * takes several times as long; `undefined` when it takes the whole algorithm to tell.
 */
export function plainName(element: Element): string | undefined {
  if (element.hasAttribute('aria-labelledby') || element.hasAttribute('aria-owns')) return undefined;
  const source = isPlainRoot(element) ? element : onlyLabelOf(element);
  if (source === undefined || isHidden(element) || isHidden(source)) return undefined;
  const label = element.getAttribute('aria-label')?.trim();
  if (label) return tidy(label);
  const name = contentsOf(source);
  const isTitled = name === '' && (source !== element || element.hasAttribute('title'));
  return name === undefined || isTitled ? undefined : tidy(name);
}

function isPlainRoot(element: Element): boolean {
  const role = element.getAttribute('role');
  const tag = element.localName;
  if (role !== null) return ROOT_ROLES.has(role) && (ROOT_TAGS.has(tag) || tag === 'div' || tag === 'span');
  if (!ROOT_TAGS.has(tag) || (tag === 'a' && !element.hasAttribute('href'))) return false;
  return tag !== 'button' || !mayHaveLabel(element);
}

/** Buttons are called by their value first. */
function onlyLabelOf(element: Element): Element | undefined {
  const isOther = isInput(element) && /^(?:button|submit|reset|image|hidden)$/.test(element.type);
  if (isOther || element.hasAttribute('role')) return undefined;
  if (!isInput(element) && !isTextArea(element) && !isSelect(element)) return undefined;
  const [label, another] = element.labels ?? [];
  return another !== undefined || (label !== undefined && hasNamingAttribute(label)) ? undefined : label;
}

/** Not `labels`: to find those that point at it, the browser looks through the whole page. */
function mayHaveLabel(button: Element): boolean {
  return button.id !== '' || button.closest('label') !== null;
}

/** Step 2F: what stands before, in and after it; a part that is no part of a line stands apart. */
function contentsOf(element: Element): string | undefined {
  let text = `${pseudoText(element, '::before')} `;
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    const part = partOf(child);
    if (part === undefined) return undefined;
    text += part;
  }
  return `${text} ${pseudoText(element, '::after')}`.trim();
}

function partOf(node: ChildNode): string | undefined {
  if (isText(node)) return node.data;
  return isElement(node) ? elementPart(node) : '';
}

function elementPart(element: Element): string | undefined {
  const tag = element.localName;
  if (tag === 'br') return ' ';
  const gap = styleOf(element).display === 'inline' ? '' : ' ';
  if (isHidden(element)) return gap + gap;
  if (tag !== 'img' && tag !== 'svg' && !INNER_TAGS.has(tag)) return undefined;
  if (hasNamingAttribute(element) || isEditable(element)) return undefined;
  const text =
    tag === 'img' ? alternativeOf(element) : tag === 'svg' ? drawnText(element) : contentsOf(element);
  return text === undefined ? undefined : gap + text + gap;
}

function alternativeOf(image: Element): string | undefined {
  const alternative = image.getAttribute('alt') ?? '';
  return alternative.trim() === '' ? contentsOf(image) : alternative;
}

/** A picture of lines without a word in it. */
function drawnText(svg: Element): string | undefined {
  const isWordless =
    svg.textContent?.trim() === '' && svg.querySelector('[aria-label], [role], title, image, a') === null;
  return isWordless ? '' : undefined;
}

function pseudoText(element: Element, pseudo: string): string {
  const { content } = getComputedStyle(element, pseudo);
  return /^["'].*["']$/.test(content) ? content.slice(1, -1) : '';
}

function hasNamingAttribute(element: Element): boolean {
  return NAMING_ATTRIBUTES.some((name) => element.hasAttribute(name));
}

function isHidden(element: Element): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true;
  const style = styleOf(element);
  return style.display === 'none' || style.visibility === 'hidden';
}
