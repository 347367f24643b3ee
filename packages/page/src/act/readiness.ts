import type { PageError } from '../locate/page-error.ts';
import { lineOf } from '../perceive/composed-tree.ts';
import { type Hit, hitTest, type Point, pressTarget } from '../perceive/hit-test.ts';
import { isRendered, isVisible } from '../perceive/visibility.ts';
import { isEditable, isInput, isTextArea } from '../secrets/secret-field.ts';
import { longestAnimation } from '../watch/stability.ts';
import { type RefusalReason, refusal } from './refusal.ts';
import { describe, stillSame, type Target } from './target.ts';
import type { Workplace } from './workplace.ts';

/** A point that reaches the target and nothing else, in the target's own document. */
export interface Place {
  readonly point: Point;
  readonly element: Element;
}

/** How long an element may move before it counts as never stable. */
const STILL_TIMEOUT_MS = 1_000;
const FRAME_MS = 17;
const LATE_FRAME_MS = 100;

/** `problem` follows the target's name. */
export function unready(
  { id, element }: Target,
  reason: RefusalReason,
  problem: string,
  workplace: Workplace,
  evidence: Readonly<Record<string, unknown>> = {},
): PageError {
  return refusal('state_mismatch', reason, `${describe(element, workplace)} ${problem}`, { id, ...evidence });
}

export function requireEnabled(target: Target, workplace: Workplace): void {
  if (!isDisabled(target.element)) return;
  throw unready(target, 'disabled', 'is disabled. Do first what enables it.', workplace);
}

/** `disabled` is inherited from a fieldset, `aria-disabled` and `inert` from any ancestor. */
function isDisabled(element: Element): boolean {
  return (
    element.matches(':disabled') ||
    lineOf(element).some((outer) => outer.matches('[inert], [aria-disabled=true]'))
  );
}

export function requireEditable(target: Target, workplace: Workplace): void {
  const { element } = target;
  const isReadOnly = element.matches('[readonly], [aria-readonly=true]');
  const isWritable = isInput(element) || isTextArea(element) || isEditable(element);
  if (isWritable && !isReadOnly) return;
  const problem = `takes no text${isReadOnly ? ': it is read-only' : ''}.`;
  throw unready(target, 'not_editable', problem, workplace);
}

/** Visible and enabled. */
export function requireUsable(target: Target, workplace: Workplace, isSeen = isVisible): void {
  requireVisible(target, workplace, isSeen);
  requireEnabled(target, workplace);
}

export function requireVisible(target: Target, workplace: Workplace, isSeen = isVisible): void {
  if (isSeen(pressTarget(target.element))) return;
  throw unready(target, 'hidden', 'is in the page but hidden. Open what it is in first.', workplace);
}

/**
 * Scrolls the element into view and finds a point to press; refuses when it is covered. Synchronous unless it
 * moves: a sliding panel is pressed where it stops.
 */
export function requirePressable(target: Target, workplace: Workplace): Place | Promise<Place> {
  const { element } = target;
  const hit = hitTest(element, workplace.shadowRootOf);
  const free = isFree(hit) ? hit : undefined;
  // An element that can be hit has a size.
  requireUsable(target, workplace, free && isRendered);
  if (free === undefined) show(element, 'nearest');
  return movesFor(element) > 0
    ? untilStill(target, workplace).then(() => freePlace(target, workplace))
    : freePlace(target, workplace, free);
}

function freePlace(
  target: Target,
  workplace: Workplace,
  first = hitTest(target.element, workplace.shadowRootOf),
): Place {
  const { element } = target;
  const hit = isFree(first) ? first : (retryElsewhere(element, workplace) ?? first);
  if (hit.outOfSight === true)
    throw unready(target, 'off_screen', 'cannot be scrolled into view.', workplace);
  if (hit.coveredBy !== undefined) throw covered(target, hit.coveredBy, workplace);
  return { point: hit.point, element };
}

const isFree = ({ coveredBy, outOfSight }: Hit): boolean => coveredBy === undefined && outOfSight !== true;

/** A sticky header covers an element scrolled just under it: the other edge, or the middle, may be free. */
function retryElsewhere(element: Element, { shadowRootOf }: Workplace): Hit | undefined {
  for (const block of ['center', 'end', 'start'] as const) {
    show(element, block);
    const hit = hitTest(element, shadowRootOf);
    if (isFree(hit)) return hit;
  }
  return undefined;
}

/** Names the dialog, not the paragraph in it at that point. */
function covered(target: Target, cover: Element, workplace: Workplace): PageError {
  const named = cover.closest('dialog, [role=dialog], [role=alertdialog], [aria-modal], [popover]') ?? cover;
  const by = describe(named, workplace);
  const evidence = { cover: by, cover_id: workplace.registry.idOf(named) };
  return unready(target, 'covered', `is covered by ${by}. Close or move that first.`, workplace, evidence);
}

export function bringIntoView(element: Element): void {
  if (!isFree(hitTest(element))) show(element, 'nearest');
}

function show(element: Element, block: ScrollLogicalPosition): void {
  pressTarget(element).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
}

function movesFor(element: Element): number {
  return longestAnimation(lineOf(element).flatMap((outer) => outer.getAnimations()));
}

/** Checks the identity again, because moving rows may change their names. */
async function untilStill(target: Target, workplace: Workplace): Promise<void> {
  const { clock } = workplace;
  const { id, element } = target;
  const begunAt = clock.now();
  for (let left = movesFor(element); left > 0; ) {
    const place = placeOf(element);
    const last = left;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, FRAME_MS));
    left = movesFor(element);
    const took = clock.now() - begunAt;
    // Nothing moves before the next frame. A hidden page renders none.
    if (placeOf(element) === place && (left < last || took > LATE_FRAME_MS)) break;
    if (took >= STILL_TIMEOUT_MS) throw unready(target, 'moving', 'does not stand still.', workplace);
  }
  if (stillSame(target, workplace)) return;
  const message = `The element changed while it was waited for: nothing was done. Take a new snapshot.`;
  throw refusal('state_mismatch', 'changed_identity', message, { id });
}

function placeOf(element: Element): string {
  return JSON.stringify(element.getBoundingClientRect());
}
