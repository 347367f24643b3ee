import { nameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { type LookOptions, lookAt } from '../perceive/viewport.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import { asRemembered, neighboursOf, type Remembered } from './remembered.ts';

export interface Candidate {
  readonly element: Element;
  readonly now: Remembered;
}

export interface SearchContext extends Pick<LookOptions, 'shadowRootOf' | 'listenerHint' | 'listenerKinds'> {
  readonly document: Document;
}

/** All elements that a view may list with the remembered role, those with its name first. */
export function candidatesFor(
  remembered: Remembered,
  { document, shadowRootOf, listenerHint, listenerKinds }: SearchContext,
): Candidate[] {
  return withWalkCache(() => {
    const options = { shadowRootOf, listenerHint, listenerKinds, withPossible: true, inViewOnly: false };
    const seen = lookAt(document, options).map(({ element }) => ({ element, n: nameOf(element) }));
    const candidates = seen.flatMap(({ element }, index) => {
      if (roleOf(element) !== remembered.role) return [];
      return { element, now: asRemembered(element, neighboursOf(seen, index)) };
    });
    const rank = ({ now }: Candidate) => Number(now.name === remembered.name);
    return candidates.sort((one, other) => rank(other) - rank(one));
  });
}
