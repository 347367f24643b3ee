import { computeAccessibleName } from 'dom-accessibility-api';
import { isField, isSecretField } from '../secrets/secret-field.ts';
import { tidy } from './text.ts';

/** Both ways to a name, for a test to put side by side. */
export { textAlternative } from './text-alternative.ts';

/** By a library, which knows no secrets; three kinds of elements are not what their style says. */
export function referenceName(named: Element): string {
  const getComputedStyle: typeof window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return window.getComputedStyle(element, pseudo);
    // A label around a field takes the field's value into the name (step 2C): not a secret's.
    if (element !== named && isField(element) && isSecretField(element)) return styleSaying('none');
    // A line break parts words, though it is inline; an area is pressed, though it is not displayed.
    if (element.localName === 'br') return styleSaying('block');
    return element.localName === 'area' ? styleSaying('inline') : window.getComputedStyle(element);
  };
  return tidy(computeAccessibleName(named, { getComputedStyle }));
}

/** A style that knows only `display`, whatever it is asked. */
function styleSaying(display: string): CSSStyleDeclaration {
  return new Proxy(window.getComputedStyle(document.documentElement), {
    get: (_, key) => (key === 'getPropertyValue' ? () => display : display),
  });
}
