import { nameOf } from '../perceive/accessible-name.ts';
import type { ShadowRootOf } from '../perceive/composed-tree.ts';
import { roleOf } from '../perceive/role.ts';
import { lookAt } from '../perceive/viewport.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import { asRemembered, neighboursOf, type Remembered } from './remembered.ts';

export interface Candidate {
  readonly element: Element;
  readonly now: Remembered;
}

/** All elements with the remembered role, those with its name first. */
export function candidatesFor(
  remembered: Remembered,
  document: Document,
  shadowRootOf: ShadowRootOf,
): Candidate[] {
  return withWalkCache(() => {
    const seen = lookAt(document, { shadowRootOf, listenerHint: undefined, inViewOnly: false }).map(
      ({ element }) => ({
        element,
        n: nameOf(element),
      }),
    );
    const candidates = seen.flatMap(({ element }, index) => {
      if (roleOf(element) !== remembered.role) return [];
      return { element, now: asRemembered(element, neighboursOf(seen, index)) };
    });
    const rank = ({ now }: Candidate) => Number(now.name === remembered.name);
    return candidates.sort((one, other) => rank(other) - rank(one));
  });
}
