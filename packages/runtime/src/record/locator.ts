import type { Target } from '@drawbridge/protocol/manifest';
import type { RecordedElement } from './recording.ts';

/** True as long as nothing is sorted, filtered or added: a place in a list, or the only one of its tag. */
const BY_PLACE = /:(?:nth|first|last|only)-|^[a-z][a-z0-9-]*$/;

export const isByPlace = (selector: string): boolean => BY_PLACE.test(selector);

/** A page may name an element so that a map would run the name as an expression. */
export const isPlain = (text: string): boolean => !text.includes('{%') && !text.includes('%}');

/** Undefined where nothing means this element alone. */
export function locatorOf({ selector, fallbacks, role, name, named }: RecordedElement): Target | undefined {
  const selectors = [...(selector === undefined ? [] : [selector]), ...fallbacks].filter(isPlain);
  const [first, ...others] = selectors.filter((each) => !isByPlace(each));
  if (first !== undefined)
    return { selector: first, ...(others.length > 0 && { fallback_selectors: others }) };
  if (named && isPlain(name)) return { role, name };
  const [only] = selectors;
  return only === undefined ? undefined : { selector: only };
}
