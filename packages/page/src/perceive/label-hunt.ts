import { isField, isTickBox } from '../secrets/field-kind.ts';
import { cutText, isElement, isText, textIn, tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

/** A longer text is a sentence or a paragraph rather than a label. */
const LABEL_LIMIT = 80;
const MOST_WORDS = 7;
const FIELDS = 'input:not([type=hidden]), select, textarea, [contenteditable]:not([contenteditable=false])';
/** Their text is their own, and labels nothing beside them. */
const CONTROLS = `${FIELDS}, button, summary, a, [onclick], [role=button], [role=tab], [role=option], [role=menuitem], [role=radio]`;
const BLOCK_TAGS = new Set('p div li ul ol dl table h1 h2 h3 h4 h5 h6 section br hr'.split(' '));

/**
 * Finds the visible label of a field without a proper one: the text before it (after it, for checkboxes), in
 * its own wrapper first, then beside the wrapper.
 */
export function huntLabel(field: Element): string {
  const after = isTickBox(field);
  const places = after ? [textAfter, textBefore] : [textBefore];
  for (const place of places) {
    const found = labelText(place(field));
    if (found !== '') return found;
  }
  // A long sentence beside a box is still its label, and words beyond it are not.
  if (after && textAfter(field) !== '') return longLabel(textAfter(field));
  const around = huntAround(field, after);
  if (around !== '' || after || field.parentElement === null) return around;
  // The only words of the field's own wrapper, behind it.
  return isOwnWrapper(field.parentElement, field) ? labelText(textAfter(field)) : '';
}

/** Climbs while the wrapper holds only this field: text beside it still belongs to the field. */
function huntAround(field: Element, after: boolean): string {
  let wrapper = field.parentElement;
  for (let level = 0; level < 4 && wrapper !== null; level++) {
    if (!isOwnWrapper(wrapper, field) || isOneOfTiles(wrapper)) break;
    const behind = after ? textAfter(wrapper) : '';
    const found = labelText(behind) || longLabel(behind) || labelText(textBefore(wrapper));
    if (found !== '') return found;
    const header = columnHeader(wrapper);
    if (header !== '') return header;
    wrapper = wrapper.parentElement;
  }
  return '';
}

/** A tab or tile that is being renamed: the words beside it are names of other ones. */
function isOneOfTiles(wrapper: Element): boolean {
  const { localName, classList, parentElement } = wrapper;
  const [kind] = classList;
  if (kind === undefined) return false;
  const others = [...(parentElement?.children ?? [])].filter(
    (other) => other !== wrapper && other.localName === localName && other.classList[0] === kind,
  );
  return others.length >= 3 && others.every((other) => other.querySelector(FIELDS) === null);
}

const isOwnWrapper = (wrapper: Element, field: Element): boolean =>
  wrapper.localName !== 'form' && wrapper.localName !== 'body' && !holdsOtherField(wrapper, field);

const longLabel = (text: string): string =>
  text.length <= LABEL_LIMIT ? text : `${cutText(text, LABEL_LIMIT).replace(/\s\S*$/, '')} …`;

function labelText(text: string): string {
  const label = text.replace(/[\s:*]+$/, '');
  const isLabel = /[\p{L}\p{N}]/u.test(label) && label.length <= LABEL_LIMIT;
  return isLabel && label.split(' ').length <= MOST_WORDS ? label : '';
}

function textBefore(element: Element): string {
  return textBeside(element, 'previousSibling').reverse().join(' ');
}

function textAfter(element: Element): string {
  return textBeside(element, 'nextSibling').join(' ');
}

/** Up to the next field; a block or break ends found text. */
function textBeside(element: Element, side: 'previousSibling' | 'nextSibling'): string[] {
  const found: string[] = [];
  for (let node = element[side]; node !== null; node = node[side]) {
    if (isText(node)) {
      const text = tidy(node.data);
      if (text !== '') found.push(text);
    } else if (isElement(node)) {
      if (isField(node) || node.matches(CONTROLS) || node.querySelector(CONTROLS) !== null) break;
      if (styleOf(node).display === 'none') continue;
      const isBlock = BLOCK_TAGS.has(node.localName);
      if (isBlock && found.length > 0) break;
      const text = textIn(node);
      if (text !== '') found.push(text);
      if (isBlock && text !== '') break;
    }
  }
  return found;
}

function holdsOtherField(wrapper: Element, field: Element): boolean {
  return [...wrapper.querySelectorAll(FIELDS)].some((other) => other !== field && !field.contains(other));
}

/** In a table of fields, the column heading is the label. */
function columnHeader(cell: Element): string {
  if (cell.localName !== 'td' || !('cellIndex' in cell)) return '';
  const header = cell.closest('table')?.querySelector('tr')?.children[Number(cell.cellIndex)];
  return header !== undefined && header !== cell ? labelText(textIn(header)) : '';
}
