import { fullNameOf } from '../perceive/accessible-name.ts';
import { roleOf, shortRole } from '../perceive/role.ts';
import { textIn, tidy } from '../perceive/text.ts';
import { isField, isInput, visibleValueOf } from '../secrets/secret-field.ts';
import type { LocateContext, Locator } from './locator.ts';

const LABELLED_BY_VALUE = new Set(['button', 'submit', 'reset']);

/** The conditions of a target that apply to the element itself. `texts` are those that count as its text. */
export function fits(
  element: Element,
  locator: Locator,
  { clean }: Pick<LocateContext, 'clean'>,
  texts = textsOf,
): boolean {
  const { role, name, text_equals, text_contains, text } = locator;
  if (role !== undefined && roleOf(element) !== role && shortRole(roleOf(element)) !== role) return false;
  if (name !== undefined && !says([fullNameOf(element)], clean, (own) => own === tidy(name))) return false;
  if (text_equals !== undefined && !says(texts(element), clean, (own) => own === tidy(text_equals)))
    return false;
  return [text_contains, text].every(
    (part) => part === undefined || says(texts(element), clean, (own) => own.includes(tidy(part))),
  );
}

/** The element's text, or what a page writes in its place. Typed text does not count. */
function textsOf(element: Element): string[] {
  const value = isInput(element) && LABELLED_BY_VALUE.has(element.type) ? element.value : '';
  return [
    textIn(element, Number.POSITIVE_INFINITY),
    tidy(element.getAttribute('aria-label') ?? ''),
    tidy(element.getAttribute('title') ?? ''),
    tidy(value),
  ];
}

/** MAN-242: the text in a field that is no secret. */
export function typedTextsOf(element: Element): string[] {
  return isField(element) ? [tidy(visibleValueOf(element) ?? '')] : [];
}

/** Compares masked texts, so that every guess at a repeated secret fails. */
function says(
  texts: readonly string[],
  clean: (text: string) => string,
  holds: (text: string) => boolean,
): boolean {
  return texts.some((text) => text !== '' && holds(clean(text)));
}
