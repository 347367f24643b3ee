import { fullNameOf, NAME_LIMIT, withoutOrnaments } from '../perceive/accessible-name.ts';
import { roleOf, shortRole } from '../perceive/role.ts';
import { cutText, textIn, tidy } from '../perceive/text.ts';
import { isField, isInput, visibleValueOf } from '../secrets/secret-field.ts';
import type { LocateContext, Locator } from './locator.ts';

const LABELLED_BY_VALUE = new Set(['button', 'submit', 'reset']);

/**
 * The conditions of a target that apply to the element itself. `texts` are those that count as its text, and
 * `isName` compares its name.
 */
export function fits(
  element: Element,
  locator: Locator,
  { clean }: Pick<LocateContext, 'clean'>,
  texts = textsOf,
  isName = (own: string, wanted: string): boolean => own === wanted,
): boolean {
  const { role, name, text_equals, text_contains, text } = locator;
  if (role !== undefined && roleOf(element) !== role && shortRole(roleOf(element)) !== role) return false;
  if (name !== undefined && !says([fullNameOf(element)], clean, (own) => isName(own, tidy(name))))
    return false;
  if (text_equals !== undefined && !says(texts(element), clean, (own) => own === tidy(text_equals)))
    return false;
  return [text_contains, text].every(
    (part) => part === undefined || says(texts(element), clean, (own) => own.includes(tidy(part))),
  );
}

/** A snapshot leaves decoration out, and cuts long names. */
export function isShown(own: string, wanted: string): boolean {
  const plain = withoutOrnaments(own);
  if (wanted.length > SHORT && wanted.endsWith('…')) return plain.startsWith(wanted.slice(0, -1).trimEnd());
  return plain === wanted || cutText(plain, NAME_LIMIT) === wanted;
}

/** A shorter beginning says too little. */
const SHORT = 10;

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
