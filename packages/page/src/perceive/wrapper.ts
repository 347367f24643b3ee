import { fullNameOf } from './accessible-name.ts';
import type { Reason } from './actionable.ts';
import { isLabel } from './composed-tree.ts';
import type { Sighting } from './viewport.ts';

/** A container of more elements than this, or of half the view, is not a press target. */
const MOST_INSIDE = 5;
const LARGEST_SHARE = 0.5;

const SURENESS: Readonly<Record<Reason, number>> = {
  control: 3,
  listens: 2,
  focusable: 1,
  pointer: 0,
  maybe: -1,
};

/**
 * Keeps each element once: drops a card around its only link, a label around its checkbox, and the hand
 * cursor of a button's part. Scrollable elements stay.
 */
export function withoutWrappers(sightings: readonly Sighting[]): Sighting[] {
  const dropped = new Set<Sighting>();
  const listed = new Set(sightings.map((sighting) => sighting.element));
  sightings.forEach((outer, index) => {
    if (isLabelOf(outer, listed)) dropped.add(outer);
    const inside = sightingsInside(sightings, index);
    if (outer.reason !== undefined && outer.isBox !== true && inside.length > 0)
      dropOneOf(outer, inside, dropped);
  });
  return sightings.flatMap((sighting) => {
    if (!dropped.has(sighting)) return sighting;
    return sighting.scrolls === undefined ? [] : { ...sighting, reason: undefined };
  });
}

function sightingsInside(sightings: readonly Sighting[], index: number): Sighting[] {
  const outer = sightings[index];
  const inside: Sighting[] = [];
  for (let next = index + 1; next < sightings.length; next++) {
    const inner = sightings[next];
    if (outer === undefined || inner === undefined || inner.order >= outer.end) break;
    if (inner.reason !== undefined) inside.push(inner);
  }
  return inside;
}

function dropOneOf(outer: Sighting, inside: readonly Sighting[], dropped: Set<Sighting>): void {
  if (outer.reason === 'control') {
    for (const inner of inside) if (isPartOf(inner, outer)) dropped.add(inner);
    const [only, ...others] = inside;
    if (only?.reason === 'control' && others.length === 0 && saysTheSame(outer, inside)) {
      dropped.add(isFieldTag(only.element) ? outer : only);
    }
    return;
  }
  if (inside.length > MOST_INSIDE || isHuge(outer)) {
    dropped.add(outer);
    return;
  }
  if (!saysTheSame(outer, inside)) return;
  const surest = Math.max(...inside.map((inner) => surenessOf(inner)));
  if (surest >= surenessOf(outer)) dropped.add(outer);
  else for (const inner of inside) dropped.add(inner);
}

/** The hand cursor, focus or listener inside a control belongs to it unless it has another name. */
function isPartOf(inner: Sighting, outer: Sighting): boolean {
  if (inner.reason === 'control') return false;
  return inner.reason === 'pointer' || saysTheSame(outer, [inner]) || fullNameOf(inner.element) === '';
}

/** Nothing of the wrapper's name remains without the names of its content. */
function saysTheSame(outer: Sighting, inside: readonly Sighting[]): boolean {
  let left = fullNameOf(outer.element);
  for (const inner of inside) {
    const name = fullNameOf(inner.element);
    if (name !== '') left = left.replace(name, '');
  }
  return !/[\p{L}\p{N}]/u.test(left);
}

function isLabelOf({ element }: Sighting, listed: ReadonlySet<Element>): boolean {
  return isLabel(element) && element.control !== null && listed.has(element.control);
}

function isHuge({ box, view }: Sighting): boolean {
  const area = (box.right - box.left) * (box.bottom - box.top);
  const whole = (view.seen.right - view.seen.left) * (view.seen.bottom - view.seen.top);
  return whole > 0 && area > whole * LARGEST_SHARE;
}

function isFieldTag(element: Element): boolean {
  return /^(?:input|select|textarea)$/.test(element.localName);
}

function surenessOf({ reason }: Sighting): number {
  return reason === undefined ? -1 : SURENESS[reason];
}
