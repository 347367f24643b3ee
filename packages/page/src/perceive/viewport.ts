import { isField, isInput } from '../secrets/secret-field.ts';
import { lineOf } from './composed-tree.ts';
import { deepElementFromPoint, hitBox, type Point, pointIn, pressTarget } from './hit-test.ts';
import { type Box, isInReach, isRendered, touches, viewportOf, visibleBox } from './visibility.ts';
import {
  type ForeignFrame,
  type Found,
  type View,
  viewOf,
  type Walked,
  type WalkOptions,
  walk,
} from './walk.ts';
import { withoutWrappers } from './wrapper.ts';

/** A visible actionable element with its press point, in the coordinates of the element's document. */
export interface Sighting extends Found {
  readonly box: Box;
  readonly point: Point;
  readonly coveredBy?: Element;
}

export interface Seen {
  readonly sightings: Sighting[];
  readonly foreignFrames: ForeignFrame[];
  /** Every visited document, the outermost first. */
  readonly documents: readonly Document[];
}

/** Probe points for floating elements, as shares of the view: a grid, and the corners. */
const COLUMNS = [0.1, 0.3, 0.5, 0.7, 0.9];
const FLOATING_POSITIONS: readonly (readonly [number, number])[] = [
  ...COLUMNS.flatMap((across) => COLUMNS.map((down) => [across, down] as const)),
  [0.03, 0.05],
  [0.97, 0.05],
  [0.03, 0.95],
  [0.97, 0.95],
];
/** A listed element this near to a probe point, as shares of the view, makes the probe unnecessary. */
const NEAR = 0.1;

/** A walk is repeated only for what an earlier one has missed. */
const MOST_WALKS = 4;

export type LookOptions = Pick<
  WalkOptions,
  'shadowRootOf' | 'listenerHint' | 'listenerKinds' | 'withPossible' | 'inViewOnly'
>;

/** Everything in the document, or only in view. */
export function lookAt(document: Document, options: LookOptions): Sighting[] {
  return look([document.documentElement], viewOf(document), options).sightings;
}

/** Lists each element once. */
export function look(roots: readonly Element[], view: View, options: Omit<WalkOptions, 'keep'>): Seen {
  const keep = new Set<Element>();
  for (let walks = 1; ; walks++) {
    const walked = walk(roots, view, { ...options, keep });
    const sightings = walked.found.flatMap((found) => sightingOf(found, options) ?? []);
    const missed =
      options.inViewOnly && walks < MOST_WALKS ? missedTrees(roots, walked, sightings, view, options) : [];
    if (missed.length === 0) return { ...walked, sightings: withoutWrappers(sightings) };
    options.onRestart?.();
    for (const element of missed) keep.add(element);
  }
}

function sightingOf(found: Found, options: Omit<WalkOptions, 'keep'>): Sighting | undefined {
  const { element, view } = found;
  const target = pressTarget(element);
  const box = visibleBox(target, options.inViewOnly ? view.seen : undefined);
  if (box === undefined || !isRendered(target)) return undefined;
  if (!touches(box, view.seen))
    return isInReach(target, box) || isUpload(target) ? { ...found, box, point: pointIn(box) } : undefined;
  const viewport = viewportOf(target);
  const inViewport = touches(box, viewport) ? box : (visibleBox(target, viewport) ?? box);
  const hit = hitBox(target, inViewport, viewport, options.shadowRootOf);
  if (hit.outOfSight === true && (options.inViewOnly || !(isField(target) || isInReach(target, box))))
    return undefined;
  return { ...found, box, point: hit.point, ...(hit.coveredBy && { coveredBy: hit.coveredBy }) };
}

/** Takes files without being seen or pressed. */
const isUpload = (element: Element): boolean => isInput(element) && element.type === 'file';

/** Skipped trees of which some part turns out to be in view. */
function missedTrees(
  roots: readonly Element[],
  walked: Walked,
  sightings: readonly Sighting[],
  { seen }: View,
  { shadowRootOf }: Omit<WalkOptions, 'keep'>,
): Element[] {
  const document = roots[0]?.ownerDocument;
  if (document === undefined || walked.skipped.isEmpty()) return [];
  const nearX = (seen.right - seen.left) * NEAR;
  const nearY = (seen.bottom - seen.top) * NEAR;
  const hits = new Set(sightings.flatMap((sighting) => sighting.coveredBy ?? []));
  for (const [across, down] of FLOATING_POSITIONS) {
    const x = seen.left + (seen.right - seen.left) * across;
    const y = seen.top + (seen.bottom - seen.top) * down;
    if (sightings.some(({ point }) => Math.abs(point.x - x) < nearX && Math.abs(point.y - y) < nearY))
      continue;
    const hit = deepElementFromPoint(document, { x, y }, shadowRootOf);
    if (hit !== undefined) hits.add(hit);
  }
  return [...hits].flatMap(lineOf).filter(walked.skipped.has);
}
