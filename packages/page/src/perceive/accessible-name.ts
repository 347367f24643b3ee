import { computeAccessibleName } from 'dom-accessibility-api';
import { isField, isInput, isSecretField, rawValueOf } from '../secrets/secret-field.ts';
import { huntLabel, huntMeaning } from './label-hunt.ts';
import { plainName } from './plain-name.ts';
import { cutText, textIn, tidy } from './text.ts';
import { cachedName, styleOf } from './walk-cache.ts';

/** Contract 4: names are cut to 50 characters. */
export const NAME_LIMIT = 50;

/** What a person would call the element, cut to 50 characters; empty when nothing names it. */
export function nameOf(element: Element): string {
  return cutText(fullNameOf(element), NAME_LIMIT);
}

/** The same before the cut. */
export function fullNameOf(element: Element): string {
  return cachedName(element, computeName);
}

function computeName(element: Element): string {
  const accessible = algorithmicName(element);
  if (accessible !== '') return accessible;
  if (isField(element)) return huntLabel(element) || placeholderOf(element) || huntMeaning(element);
  return textIn(element) || huntMeaning(element);
}

/** https://www.w3.org/TR/html-aam-1.0/#accessible-name-and-description-computation, and nothing beyond. */
export function accessibleNameOf(element: Element): string {
  return algorithmicName(element) || placeholderOf(element) || captionOf(element);
}

function algorithmicName(element: Element): string {
  return plainName(element) ?? wholeName(element);
}

/** https://www.w3.org/TR/accname-1.2/, computed by a library; a secret's value is never part of a name. */
export function wholeName(element: Element): string {
  const name = tidy(computeAccessibleName(element, { getComputedStyle: stylesForName(element) }));
  const leaked = referencedSecrets(element).filter((value) => value !== '' && name.includes(value));
  return leaked.reduce((text, value) => tidy(text.replaceAll(value, '')), name);
}

/** What the library asks of styles; three kinds of elements are not what their style says. */
function stylesForName(named: Element): typeof getComputedStyle {
  return (element, pseudo) => {
    if (pseudo) return getComputedStyle(element, pseudo);
    // A label around a field takes the field's value into the name (step 2C): not a secret's.
    if (element !== named && isField(element) && isSecretField(element)) return styleSaying('none');
    // A line break parts words, though it is inline; an area is pressed, though it is not displayed.
    if (element.localName === 'br') return styleSaying('block');
    return element.localName === 'area' ? styleSaying('inline') : styleOf(element);
  };
}

/** A style that knows only `display`, whatever it is asked. */
function styleSaying(display: string): CSSStyleDeclaration {
  return new Proxy(getComputedStyle(document.documentElement), {
    get: (_, key) => (key === 'getPropertyValue' ? () => display : display),
  });
}

/** `aria-labelledby` may point at a field, and then the field's value is the name. */
function referencedSecrets(element: Element): string[] {
  const ids = element.getAttribute('aria-labelledby');
  if (ids === null) return [];
  return ids
    .split(/\s+/)
    .map((id) => element.ownerDocument.getElementById(id))
    .filter((target) => target !== null)
    .flatMap((target) => [target, ...target.querySelectorAll('input, textarea, select, [contenteditable]')])
    .filter(isSecretField)
    .map((target) => tidy(rawValueOf(target) ?? ''));
}

function placeholderOf(element: Element): string {
  const placeholder = element.getAttribute('placeholder') ?? element.getAttribute('aria-placeholder') ?? '';
  return isInput(element) && element.type === 'image' ? '' : tidy(placeholder);
}

/** https://www.w3.org/TR/html-aam-1.0/#figure-element-accessible-name-computation */
function captionOf(element: Element): string {
  const caption = element.localName === 'figure' ? element.querySelector(':scope > figcaption') : null;
  return caption === null ? '' : textIn(caption);
}
