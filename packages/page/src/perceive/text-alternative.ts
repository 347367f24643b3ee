import { computeAccessibleName } from 'dom-accessibility-api';
import { isField, isSecretField, rawValueOf } from '../secrets/secret-field.ts';
import { elementsNamed } from './composed-tree.ts';
import { tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

/** The name of an element by https://www.w3.org/TR/accname-1.2/, and nothing beyond. No secret is part of any. */
export function textAlternative(named: Element): string {
  // What is in no document has no ids to look up: the library would fail on it.
  if (!named.isConnected) return '';
  const name = tidy(computeAccessibleName(named, { getComputedStyle: stylesForName(named) }));
  // `aria-labelledby` may point at a field, and then the field's value is the name.
  return elementsNamed(named, 'aria-labelledby')
    .filter(isSecretField)
    .reduce((text, field) => tidy(text.replaceAll(tidy(rawValueOf(field) ?? ''), '')), name);
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

/** A style of which only `display` is asked, or `visibility`, which is then none of the words that hide. */
function styleSaying(display: string): CSSStyleDeclaration {
  return { getPropertyValue: () => display } as unknown as CSSStyleDeclaration;
}
