import type { ExtractField } from '@drawbridge/protocol/manifest';
import { textIn } from '../perceive/text.ts';
import { isField, isInput, isSecretField, visibleValueOf } from '../secrets/secret-field.ts';

/** Reads one field of one element; null when absent or secret (MAN-202). */
export function fieldValue(element: Element, { property, attribute }: ExtractField): unknown {
  if (attribute !== undefined) return attributeOf(element, attribute);
  switch (property ?? 'innerText') {
    case 'innerText':
      return shownText(element, 'innerText');
    case 'textContent':
      return shownText(element, 'textContent');
    case 'value':
      return heldValue(element);
    case 'checked':
      return checkedOf(element);
    case 'ariaLabel':
      return element.ariaLabel;
    case 'boundingClientRect':
      return element.getBoundingClientRect().toJSON();
    case 'tagName':
      return element.tagName;
  }
}

/** Typed text is a value, whatever attribute the page copies it to. */
function attributeOf(element: Element, name: string): unknown {
  if (isSecretField(element) && holdsValue(name)) return null;
  // A handler attribute is code, and may hold data not meant to be read.
  return name.toLowerCase().startsWith('on') ? null : element.getAttribute(name);
}

const holdsValue = (attribute: string): boolean => /^(?:value|data-.*)$/i.test(attribute);

const EDITABLE = 'textarea, [contenteditable]';

/** Text of the page is read as it is; a secret typed inside it is left out. */
function shownText(element: Element, property: 'innerText' | 'textContent'): string | null {
  if (isField(element)) return isInput(element) ? '' : (visibleValueOf(element) ?? null);
  const hidesSecret = [...element.querySelectorAll(EDITABLE)].some(isSecretField);
  if (hidesSecret || isCode(element)) return textIn(element, Number.POSITIVE_INFINITY);
  const text: unknown = Reflect.get(element, property);
  return typeof text === 'string' ? text : element.textContent;
}

const isCode = (element: Element): boolean => element.localName === 'script' || element.localName === 'style';

function heldValue(element: Element): unknown {
  if (isField(element)) {
    if (isInput(element) && element.type === 'hidden') return isSecretField(element) ? null : element.value;
    return visibleValueOf(element) ?? buttonValue(element);
  }
  const value: unknown = Reflect.get(element, 'value');
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** The value of a button, checkbox or radio button is the page's own text. */
function buttonValue(element: Element): string | null {
  return isInput(element) && !isSecretField(element) && CHOICES.has(element.type) ? element.value : null;
}

const CHOICES = new Set(['button', 'submit', 'reset', 'checkbox', 'radio']);

function checkedOf(element: Element): unknown {
  const checked: unknown = Reflect.get(element, 'checked');
  if (typeof checked === 'boolean') return checked;
  const state = element.ariaChecked ?? element.ariaPressed;
  return state === null ? null : state === 'true';
}
