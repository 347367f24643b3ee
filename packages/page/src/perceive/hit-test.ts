import { isInput } from '../secrets/secret-field.ts';
import {
  frameDocument,
  hostOf,
  isFrame,
  isLabel,
  lineOf,
  openShadowRoot,
  type ShadowRootOf,
} from './composed-tree.ts';
import { controlOver } from './control.ts';
import {
  type Box,
  clip,
  insideOrigin,
  isInReach,
  isLarge,
  isVisible,
  viewportOf,
  visibleBox,
} from './visibility.ts';
import { styleOf } from './walk-cache.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Hit {
  /** The press point, in coordinates of the element's own document. */
  readonly point: Point;
  /** The element that a press at that point would reach instead. */
  readonly coveredBy?: Element;
  /** Outside the viewport or its scroll box: covers are unknown. */
  readonly outOfSight?: true;
}

/** Points of the box to try, the middle first: a badge or a rounded corner must not make it "covered". */
const PROBES: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.15, 0.5],
  [0.85, 0.5],
  [0.5, 0.2],
  [0.5, 0.8],
];

/** Where a press on the element lands, and what covers it. */
export function hitTest(element: Element, shadowRootOf: ShadowRootOf = openShadowRoot): Hit {
  const target = pressTarget(element);
  const viewport = viewportOf(target);
  const box = visibleBox(target, viewport) ?? visibleBox(target) ?? target.getBoundingClientRect();
  return hitBox(target, box, viewport, shadowRootOf);
}

/** The same with known boxes. */
export function hitBox(target: Element, box: Box, viewport: Box, shadowRootOf: ShadowRootOf): Hit {
  const seen = clip(box, viewport);
  if (!isLarge(seen)) return { point: pointIn(box), outOfSight: true };
  const first = probe(target, seen, shadowRootOf);
  if (first.coveredBy === undefined) return throughFrames(target, first, shadowRootOf);
  // The hit element may be the box that scrolls or clips the target, rather than a cover.
  const left = clipByAncestors(target, seen);
  if (!isLarge(left)) return { point: pointIn(box), outOfSight: true };
  return throughFrames(target, probe(target, left, shadowRootOf), shadowRootOf);
}

/** An invisible control is pressed through its label. */
export function pressTarget(element: Element): Element {
  if (!isInput(element) || (isVisible(element) && isInReach(element))) return element;
  return [...(element.labels ?? [])].find(isVisible) ?? element;
}

function probe(target: Element, box: Box, shadowRootOf: ShadowRootOf): Hit {
  let coveredBy: Element | undefined;
  let nested: Hit | undefined;
  for (const [across, down] of PROBES) {
    const point = pointIn(box, across, down);
    const hit = deepElementFromPoint(target.ownerDocument, point, shadowRootOf);
    if (hit === undefined) return { point };
    if (!reaches(hit, target, shadowRootOf)) coveredBy ??= hit;
    else if (controlOver(hit, target) === undefined) return { point };
    else nested ??= { point };
  }
  if (nested !== undefined) return nested;
  const point = pointIn(box);
  return coveredBy === undefined || isSeeThrough(target) ? { point } : { point, coveredBy };
}

/** An element free in its own document may be covered in the document around the frame. */
function throughFrames(target: Element, hit: Hit, shadowRootOf: ShadowRootOf): Hit {
  const frame = hit.coveredBy === undefined ? target.ownerDocument.defaultView?.frameElement : undefined;
  if (frame == null) return hit;
  const { left, top } = insideOrigin(frame);
  const outer = { x: left + hit.point.x, y: top + hit.point.y };
  const found = deepElementFromPoint(frame.ownerDocument, outer, shadowRootOf);
  if (found === undefined) return { point: hit.point, outOfSight: true };
  if (found !== frame) return { point: hit.point, coveredBy: found };
  const { coveredBy } = throughFrames(frame, { point: outer }, shadowRootOf);
  return coveredBy === undefined ? hit : { point: hit.point, coveredBy };
}

/** The cover of a point of the target's document in outer documents. */
export function coverAround(target: Element, point: Point, shadowRootOf: ShadowRootOf): Element | undefined {
  return throughFrames(target, { point }, shadowRootOf).coveredBy;
}

/** The innermost element that a press on the target reaches at a point of its document. */
export function innermostOf(
  target: Element,
  point: Point,
  shadowRootOf: ShadowRootOf = openShadowRoot,
): Element {
  const hit = deepElementFromPoint(target.ownerDocument, point, shadowRootOf);
  if (hit === undefined || !reaches(hit, target, shadowRootOf)) return target;
  return insideFrames(hit, point, shadowRootOf);
}

function clipByAncestors(target: Element, box: Box): Box {
  let left = box;
  for (const element of lineOf(target).slice(1)) {
    const { overflowX, overflowY, clipPath } = styleOf(element);
    if (overflowX === 'visible' && overflowY === 'visible' && clipPath === 'none') continue;
    if (element.localName === 'body' || element.localName === 'html') continue;
    left = clip(left, element.getBoundingClientRect());
  }
  return left;
}

export function pointIn(box: Box, across = 0.5, down = 0.5): Point {
  return {
    x: Math.round(box.left + (box.right - box.left) * across),
    y: Math.round(box.top + (box.bottom - box.top) * down),
  };
}

/** The innermost element at a point, through shadow roots. */
export function deepElementFromPoint(
  document: Document,
  point: Point,
  shadowRootOf: ShadowRootOf = openShadowRoot,
): Element | undefined {
  const hit = document.elementFromPoint(point.x, point.y);
  return hit === null ? undefined : innermostAt(hit, point, shadowRootOf);
}

/** Through the shadow roots below an element that was hit. */
export function innermostAt(hit: Element, point: Point, shadowRootOf: ShadowRootOf): Element {
  const inner = shadowRootOf(hit)?.elementFromPoint(point.x, point.y);
  return inner == null || inner === hit ? hit : innermostAt(inner, point, shadowRootOf);
}

/** The innermost element that a press reaches, including same-origin frames. */
export function pressedAt(document: Document, point: Point, shadowRootOf: ShadowRootOf): Element | undefined {
  const hit = deepElementFromPoint(document, point, shadowRootOf);
  return hit && insideFrames(hit, point, shadowRootOf);
}

/** Continues from a hit frame element into its document. */
export function insideFrames(
  hit: Element,
  { x, y }: Point,
  shadowRootOf: ShadowRootOf = openShadowRoot,
): Element {
  const inner = isFrame(hit) ? frameDocument(hit) : undefined;
  if (inner === undefined) return hit;
  const { left, top, scale } = frameScale(hit);
  const point = { x: (x - left) / scale.x, y: (y - top) / scale.y };
  return pressedAt(inner, point, shadowRootOf) ?? hit;
}

/** Origin of a frame's document, and outer pixels per inner pixel. */
export function frameScale(frame: Element): FrameScale {
  const { left, top, width, height } = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = styleOf(frame);
  const whole = (side: string) => Number(Reflect.get(frame, side)) || 1;
  const scale = { x: width / whole('offsetWidth') || 1, y: height / whole('offsetHeight') || 1 };
  return {
    scale,
    left: left + (frame.clientLeft + (Number.parseFloat(paddingLeft) || 0)) * scale.x,
    top: top + (frame.clientTop + (Number.parseFloat(paddingTop) || 0)) * scale.y,
  };
}

interface FrameScale {
  readonly left: number;
  readonly top: number;
  readonly scale: Point;
}

/** A press on `hit` reaches `target`: inside it, or inside its label. */
export function reaches(hit: Element, target: Element, shadowRootOf: ShadowRootOf): boolean {
  return (
    lineOf(hit).some((outer) => outer === target || (isLabel(outer) && outer.control === target)) ||
    // A host represents everything in a closed shadow root.
    (shadowRootOf(hit) === undefined && hostOf(target) === hit)
  );
}

/** `pointer-events: none` passes the press to the element behind, mostly on a disabled button. */
function isSeeThrough(element: Element): boolean {
  return styleOf(element).pointerEvents === 'none';
}
