import { words } from '@drawbridge/protocol/secrets';
import { isField, isTickBox } from '../secrets/secret-field.ts';
import { isElement, isText, textIn, tidy } from './text.ts';

/** A longer text is a paragraph rather than a label. */
const LABEL_LIMIT = 80;
const FIELDS = 'input:not([type=hidden]), select, textarea, [contenteditable]:not([contenteditable=false])';

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
  return huntAround(field, after);
}

/** Climbs while the wrapper holds only this field: text beside it still belongs to the field. */
function huntAround(field: Element, after: boolean): string {
  let wrapper = field.parentElement;
  for (let level = 0; level < 4 && wrapper !== null; level++) {
    if (wrapper.localName === 'form' || wrapper.localName === 'body' || holdsOtherField(wrapper, field))
      break;
    const found = labelText(after ? textAfter(wrapper) : '') || labelText(textBefore(wrapper));
    if (found !== '') return found;
    const header = columnHeader(wrapper);
    if (header !== '') return header;
    wrapper = wrapper.parentElement;
  }
  return '';
}

function labelText(text: string): string {
  const label = text.replace(/[\s:*]+$/, '');
  return label.length <= LABEL_LIMIT ? label : '';
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
      if (isField(node) || node.querySelector(FIELDS) !== null || node.localName === 'button') break;
      if (node.localName === 'br' && found.length > 0) break;
      const text = textIn(node);
      if (text !== '') found.push(text);
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

/** `q`, `p` and `id` are names for programs only. */
const SHORTEST_WORD = 3;
const HINTING_ATTRIBUTES = [
  'data-tooltip',
  'data-original-title',
  'data-title',
  'data-label',
  'alt',
  'title',
];

/** Last resort for unnamed elements: a name from the image, address or code. */
export function huntMeaning(element: Element): string {
  for (const attribute of HINTING_ATTRIBUTES) {
    const hint = tidy(element.getAttribute(attribute) ?? '');
    if (hint !== '') return hint;
  }
  return pictureName(element) || fieldName(element) || addressName(element);
}

function pictureName(element: Element): string {
  const title = element.querySelector('svg title, svg desc')?.textContent;
  if (title) return tidy(title);
  const use = element.querySelector('svg use');
  const symbol = use?.getAttribute('href') ?? use?.getAttribute('xlink:href') ?? '';
  return words(symbol.split('#')[1] ?? '').replace(/^(?:icon|ico|svg|sprite) | icon$/g, '');
}

function fieldName(element: Element): string {
  const name = isField(element) ? words(element.getAttribute('name') ?? '') : '';
  return name.length >= SHORTEST_WORD ? name : '';
}

/** `/account/orders?page=2` is a link to orders. */
function addressName(element: Element): string {
  const href = element.getAttribute('href');
  if (href === null || /^(?:javascript|data|blob):/i.test(href)) return '';
  const path = (href.split(/[?#]/)[0] ?? '').replace(/\/+$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.length <= 40 ? words(last.replace(/\.\w{2,5}$/, '')) : '';
}
