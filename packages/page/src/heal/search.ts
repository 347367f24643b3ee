import { nameOf } from '../perceive/accessible-name.ts';
import type { ShadowRootOf } from '../perceive/composed-tree.ts';
import { roleOf } from '../perceive/role.ts';
import { look } from '../perceive/sight.ts';
import { viewOf } from '../perceive/walk.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import { withoutWrappers } from '../perceive/wrapper.ts';
import { asRemembered, type Remembered } from './remembered.ts';

export interface Candidate {
  readonly element: Element;
  readonly now: Remembered;
}

/** Every element of the page that has the role of the one remembered, those with its name first. */
export function candidatesFor(
  remembered: Remembered,
  document: Document,
  shadowRootOf: ShadowRootOf,
): Candidate[] {
  return withWalkCache(() => {
    const elements = elementsOf(document, shadowRootOf);
    const names = elements.map(nameOf);
    const candidates = elements.flatMap((element, place) => {
      if (roleOf(element) !== remembered.role) return [];
      return { element, now: asRemembered(element, [names[place - 1] ?? '', names[place + 1] ?? '']) };
    });
    const rank = ({ now }: Candidate) => Number(now.name === remembered.name);
    return candidates.sort((one, other) => rank(other) - rank(one));
  });
}

function elementsOf(document: Document, shadowRootOf: ShadowRootOf): Element[] {
  const { sightings } = look([document.documentElement], viewOf(document), {
    shadowRootOf,
    listenerHint: undefined,
    inViewOnly: false,
  });
  return withoutWrappers(sightings).map(({ element }) => element);
}
