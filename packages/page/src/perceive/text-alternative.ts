import { computeAccessibleName } from 'dom-accessibility-api';
import { isField, isSecretField, rawValueOf } from '../secrets/secret-field.ts';
import { elementsNamed } from './composed-tree.ts';
import { tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

/** The name of an element by https://www.w3.org/TR/accname-1.2/ only, without secrets. */
export function textAlternative(named: Element): string {
  // A detached element has no ids to look up: the library would fail on it.
  if (!named.isConnected) return '';
  const name = tidy(computeAccessibleName(named, { getComputedStyle: stylesForName(named) }));
  // `aria-labelledby` may reference a field, whose value is then the name.
  return elementsNamed(named, 'aria-labelledby')
    .filter(isSecretField)
    .reduce((text, field) => tidy(text.replaceAll(tidy(rawValueOf(field) ?? ''), '')), name);
}

/** Styles for the library, corrected for three kinds of elements. */
function stylesForName(named: Element): typeof getComputedStyle {
  return (element, pseudo) => {
    if (pseudo) return getComputedStyle(element, pseudo);
    // A label around a field includes the field's value in the name (step 2C), except a secret's.
    if (element !== named && isField(element) && isSecretField(element)) return styleSaying('none');
    // A line break separates words, though it is inline; an area is pressable, though it is not displayed.
    if (element.localName === 'br') return styleSaying('block');
    return element.localName === 'area' ? styleSaying('inline') : styleOf(element);
  };
}

/** A style with the given `display`, and a `visibility` that does not hide. */
function styleSaying(display: string): CSSStyleDeclaration {
  return { getPropertyValue: () => display } as unknown as CSSStyleDeclaration;
}
