import type { RecordedElement } from '@drawbridge/page/recorder';
import type { Target } from '@drawbridge/protocol/manifest';

/** Selectors by position or bare tag, which break when something is sorted, filtered or added. */
const BY_POSITION = /:(?:nth|first|last|only)-|^[a-z][a-z0-9-]*$/;

export const isByPosition = (selector: string): boolean => BY_POSITION.test(selector);

/** Excludes names that a map would evaluate as an expression. */
export const isPlain = (text: string): boolean => !text.includes('{%') && !text.includes('%}');

/** Undefined when nothing matches this element alone. */
export function locatorOf({ selector, fallbacks, role, name, named }: RecordedElement): Target | undefined {
  const selectors = [...(selector === undefined ? [] : [selector]), ...fallbacks].filter(isPlain);
  const [first, ...others] = selectors.filter((each) => !isByPosition(each));
  if (first !== undefined)
    return { selector: first, ...(others.length > 0 && { fallback_selectors: others }) };
  if (named && isPlain(name)) return { role, name };
  const [only] = selectors;
  return only === undefined ? undefined : { selector: only };
}
