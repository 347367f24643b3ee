import type { ElementRegistry } from '../identity/element-registry.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { inWalk } from '../perceive/walk-cache.ts';
import { identityOf, isLive } from './identity.ts';
import { bestMatch, isRecounted, withoutNumbers } from './match.ts';
import { asRemembered, neighboursOf, type Remembered } from './remembered.ts';
import type { Candidate } from './search.ts';

interface Lost {
  readonly id: string;
  readonly remembered: Remembered;
}

/**
 * Gives listed elements back the ids under which an agent knows them, after a page has rendered, reordered or
 * recycled its nodes: at the confidence at which an action would take the element (INT-297). Elements that tie
 * keep new ids.
 */
export function recogniseElements(
  elements: readonly Element[],
  registry: ElementRegistry,
  isLostHere = identityLost,
): void {
  const lost = lostIds(registry, isLostHere);
  if (lost.length === 0) return;
  const named = elements.map((element) => ({ n: nameOf(element) }));
  const alike = new Map<string, Candidate[]>();
  const wanted = new Set(lost.map(({ remembered }) => keyOf(remembered.role, remembered.name)));
  elements.forEach((element, index) => {
    const key = keyOf(inWalk(element, roleOf), named[index]?.n ?? '');
    if (!wanted.has(key)) return;
    const candidate = { element, now: asRemembered(element, neighboursOf(named, index)) };
    alike.set(key, [...(alike.get(key) ?? []), candidate]);
  });
  const isLost = new Set(lost.map(({ id }) => id));
  // An element that the agent knows by another id, and that is still the same, is not a lost one.
  const isTaken = (element: Element) => {
    const known = registry.knownIdOf(element);
    return known !== undefined && registry.fingerprintOf(known) !== undefined && !isLost.has(known);
  };
  const claims = new Map<Element, string[]>();
  for (const { id, remembered } of lost) {
    const candidates = alike.get(keyOf(remembered.role, remembered.name)) ?? [];
    const match = bestMatch(remembered, candidates, registry.isAlone(remembered));
    if (match.kind !== 'found') continue;
    const { element } = match.candidate;
    if (!isTaken(element)) claims.set(element, [...(claims.get(element) ?? []), id]);
  }
  if (isLostHere === hasLeft) {
    const claimed = new Set([...claims.values()].flat());
    const left = new Map<string, Lost[]>();
    for (const each of lost) {
      const name = withoutNumbers(each.remembered.name);
      left.set(name, [...(left.get(name) ?? []), each]);
    }
    elements.forEach((element, index) => {
      const alikeButCount = left.get(withoutNumbers(named[index]?.n ?? '')) ?? [];
      if (alikeButCount.length === 0 || claims.has(element) || isTaken(element)) return;
      const now = asRemembered(element, []);
      const ids = alikeButCount.flatMap(({ id, remembered }) =>
        !claimed.has(id) && isInPlace(remembered, now) && isRecounted(remembered, now) ? id : [],
      );
      claims.set(element, ids);
    });
  }
  for (const [element, [id, ...others]] of claims)
    if (id !== undefined && others.length === 0) registry.reassign(id, element);
}

/** Ids of the last looks whose element has left, or shows something else. */
function lostIds(registry: ElementRegistry, isLost: IsLost): Lost[] {
  return registry
    .recentlySeen(MOST_RECENT)
    .flatMap(([id, remembered]) => (isLost(registry.elementOf(id), remembered) ? { id, remembered } : []));
}

type IsLost = (element: Element | undefined, remembered: Remembered) => boolean;

const identityLost: IsLost = (element, remembered) => identityOf(element, remembered) !== 'same';

/** After an act: an element that is still there keeps its id, and the report names what it became. */
export const hasLeft: IsLost = (element) => element === undefined || !isLive(element);

const IN_PLACE_PX = 24;

const isInPlace = ({ box }: Remembered, now: Remembered): boolean =>
  Math.hypot(box[0] - now.box[0], box[1] - now.box[1]) < IN_PLACE_PX;

/** A long list scrolled a few times; older ones heal when they are used. */
const MOST_RECENT = 2_000;

const keyOf = (role: string, name: string): string => `${role} ${name}`;
