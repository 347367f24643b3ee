import { isSecretField } from '../secrets/secret-field.ts';
import type { FieldFacts, FormFacts } from './recording.ts';

const TEXTLESS = new Set([
  'button',
  'submit',
  'reset',
  'image',
  'checkbox',
  'radio',
  'file',
  'range',
  'color',
]);
const PERSONAL_TYPES = new Set(['email', 'tel']);
/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill-field */
const PERSONAL_AUTOCOMPLETE =
  /(?:^|\s)(?:[a-z-]*name|email|tel[a-z-]*|street-address|address-[a-z0-9-]+|postal-code|country[a-z-]*|bday[a-z-]*|sex|organization[a-z-]*|cc-[a-z-]+|impp|photo)(?:\s|$)/i;
const MAX_OPTIONS = 60;

const typeOf = (element: Element): string =>
  element.localName === 'input' && 'type' in element ? String(element.type) : element.localName;

export function takesText(element: Element): boolean {
  if (element.localName === 'input') return !TEXTLESS.has(typeOf(element));
  return element.localName === 'textarea' || isEditor(element);
}

export const isEditor = (element: Element): boolean =>
  'isContentEditable' in element && element.isContentEditable === true;

/** Reported by its `change` event; the click before it would be a duplicate. */
export function describesItself(element: Element): boolean {
  const type = typeOf(element);
  return (
    ['checkbox', 'radio', 'file', 'select', 'option', 'range', 'color'].includes(type) || takesText(element)
  );
}

export function fieldFacts(element: Element): FieldFacts {
  const word = element.getAttribute('name') ?? '';
  const type = typeOf(element);
  const autocomplete = element.getAttribute('autocomplete') ?? '';
  return {
    type,
    ...(/^[a-z][a-z0-9_-]{1,30}$/i.test(word) && { word }),
    personal: PERSONAL_TYPES.has(type) || PERSONAL_AUTOCOMPLETE.test(autocomplete),
    ...(isSelect(element) && {
      options: [...element.options].slice(0, MAX_OPTIONS).map((option) => option.text.trim()),
    }),
  };
}

export function formFacts(element: Element): FormFacts {
  const form = element.closest('form');
  const type = typeOf(element);
  const isButton = element.localName === 'button' && (element.getAttribute('type') ?? 'submit') === 'submit';
  const submits = form !== null && (isButton || type === 'submit' || type === 'image' || takesText(element));
  return {
    submits,
    sensitive: form !== null && [...form.querySelectorAll('input, textarea, select')].some(isSecretField),
    searches:
      element.closest('search, [role=search]') !== null ||
      ((form?.getAttribute('method') ?? 'get') === 'get' &&
        form?.querySelector('input[type=search], [role=searchbox]') instanceof Element),
  };
}

export const isSelect = (element: Element): element is HTMLSelectElement =>
  element.localName === 'select' && 'selectedOptions' in element;
