import { isInput, isSecretField, isSelect, isTextArea } from '../secrets/secret-field.ts';
import { elementsNamed, renderedChildNodes } from './composed-tree.ts';
import { hasTrait, roleOf } from './role.ts';
import { isElement, isText, tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

/** What names an element of a tag: https://www.w3.org/TR/html-aam-1.0/#accname-computation */
const NAMING_CHILD: Readonly<Record<string, string>> = { fieldset: 'legend', table: 'caption', svg: 'title' };
const NAMING_ATTRIBUTE: Readonly<Record<string, string>> = { img: 'alt', area: 'alt', optgroup: 'label' };
const USUAL_VALUE: Readonly<Record<string, string>> = { button: '', submit: 'Submit', reset: 'Reset' };

/** Why an element's text is asked for: to name it, because another points at it, or as a part of another. */
type Purpose = 'name' | 'reference' | 'part';

/**
 * The name of an element by https://www.w3.org/TR/accname-1.2/#computation-steps, and nothing beyond. What a
 * secret field holds is no part of any name.
 */
export function textAlternative(named: Element): string {
  const saysRole = named.hasAttribute('role') || named.localName === 'img';
  if (saysRole && hasTrait(roleOf(named), 'n')) return '';
  /** Elements, and references that were followed: nothing counts twice, and no circle is endless. */
  const used = new Set<Node>();

  function textOf(element: Element, purpose: Purpose, isInLabel: boolean): string {
    if (used.has(element) || (purpose !== 'reference' && isHidden(element))) return '';
    const references = element.getAttributeNode('aria-labelledby');
    if (references !== null && purpose !== 'reference' && !used.has(references)) {
      used.add(references);
      const labels = elementsNamed(element, 'aria-labelledby');
      if (labels.length > 0) return labels.map((label) => textOf(label, 'reference', isInLabel)).join(' ');
    }
    used.add(element);
    const role = roleOf(element);
    // A control inside a label counts by its value (step 2C), not by its own label.
    const isValue =
      purpose === 'part' && (hasTrait(role, 'r') || /^(?:button|combobox|listbox|textbox)$/.test(role));
    const given = isValue ? undefined : saidBy(element, 'aria-label') || nativeName(element, role);
    if (given !== undefined) return given;
    const tooltip = purpose === 'part' ? '' : saidBy(element, 'title');
    if (role === 'menu' || isSecretField(element)) return tooltip;
    const counts = isValue || isInLabel || purpose === 'reference';
    const value = counts ? valueIn(element, role, isInLabel) : undefined;
    if (value !== undefined) return value;
    const isNamedByContents =
      purpose !== 'name' || hasTrait(role, 'c') || /^(?:legend|caption)$/.test(element.localName);
    return (isNamedByContents && contentsOf(element, isInLabel)) || tooltip;
  }

  /** Step 2D: undefined where the tag has no say. */
  function nativeName(element: Element, role: string): string | undefined {
    const { localName: tag } = element;
    if (role === 'presentation' || role === 'none') return undefined;
    const childTag = NAMING_CHILD[tag];
    const child = childTag && [...element.children].find(({ localName }) => localName === childTag);
    if (child) return tag === 'svg' ? (child.textContent ?? '') : textOf(child, 'name', false);
    const type = isInput(element) ? element.type : '';
    const attribute = NAMING_ATTRIBUTE[tag] ?? (type in USUAL_VALUE ? 'value' : '');
    const said = (attribute && saidBy(element, attribute)) || USUAL_VALUE[type];
    if (said) return said;
    const labels = labelsOf(element).map((label) => textOf(label, 'part', true));
    if (labels.length > 0) return labels.filter(Boolean).join(' ');
    if (type !== 'image') return undefined;
    return saidBy(element, 'alt') || saidBy(element, 'title') || 'Submit Query';
  }

  /** Step 2C: undefined where the role has no value. */
  function valueIn(element: Element, role: string, isInLabel: boolean): string | undefined {
    const written = isInput(element) || isTextArea(element) ? element.value : undefined;
    if (role === 'textbox') return written ?? contentsOf(element, isInLabel);
    if (hasTrait(role, 'r')) {
      const said = ['aria-valuetext', 'aria-valuenow', 'value'].find((name) => element.hasAttribute(name));
      return said === undefined ? '' : saidBy(element, said);
    }
    if (role !== 'combobox' && role !== 'listbox') return undefined;
    const chosen = isSelect(element)
      ? [...element.selectedOptions]
      : [element, ...owned(element)].flatMap((list) => [...list.querySelectorAll('[aria-selected=true]')]);
    if (chosen.length === 0) return written ?? '';
    return chosen.map((option) => textOf(option, 'part', isInLabel)).join(' ');
  }

  /** Step 2F: what stands before, in and after it; a part that is no part of a line stands apart. */
  function contentsOf(element: Element, isInLabel: boolean): string {
    let text = `${pseudoText(element, '::before')} `;
    for (const node of [...renderedChildNodes(element, () => undefined), ...owned(element)]) {
      if (isText(node)) text += node.data;
      else if (isElement(node)) {
        const gap = isInline(node) ? '' : ' ';
        text += gap + textOf(node, 'part', isInLabel) + gap;
      }
    }
    return `${text} ${pseudoText(element, '::after')}`.trim();
  }

  return tidy(textOf(named, 'name', false));
}

function saidBy(element: Element, attribute: string): string {
  return element.getAttribute(attribute)?.trim() ?? '';
}

function owned(element: Element): Element[] {
  return elementsNamed(element, 'aria-owns');
}

/** Asked only where there may be one: to find those that point at it, the browser looks through the whole page. */
function labelsOf(element: Element): Element[] {
  if (!isLabelable(element) || (element.id === '' && element.closest('label') === null)) return [];
  return [...(element.labels ?? [])];
}

function isLabelable(element: Element): element is HTMLInputElement {
  return 'labels' in element;
}

function pseudoText(element: Element, pseudo: string): string {
  const { content } = getComputedStyle(element, pseudo);
  return /^["'].*["']$/.test(content) ? content.slice(1, -1) : '';
}

/** A line break parts words, though it is inline. */
function isInline(element: Element): boolean {
  return element.localName !== 'br' && styleOf(element).display === 'inline';
}

/** An area is pressed, though it is not displayed. */
function isHidden(element: Element): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true;
  const { display, visibility } = styleOf(element);
  return visibility === 'hidden' || (display === 'none' && element.localName !== 'area');
}
