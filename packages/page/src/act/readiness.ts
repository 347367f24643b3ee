import type { PageError } from '../locate/page-error.ts';
import { lineOf } from '../perceive/composed-tree.ts';
import { type Hit, hitTest, type Point, pressTarget } from '../perceive/hit-test.ts';
import { isRendered, isVisible } from '../perceive/visibility.ts';
import { isEditable, isInput, isTextArea } from '../secrets/secret-field.ts';
import { longestAnimation } from '../watch/stability.ts';
import type { ActionContext } from './action-context.ts';
import { type RefusalReason, refusal } from './refusal.ts';
import { describe, stillSame, type Target } from './target.ts';

/** A point that reaches the target and nothing else, in the target's own document. */
export interface PressPoint {
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
  context: ActionContext,
  evidence: Readonly<Record<string, unknown>> = {},
): PageError {
  return refusal('state_mismatch', reason, `${describe(element, context)} ${problem}`, { id, ...evidence });
}

export function requireEnabled(target: Target, context: ActionContext): void {
  if (!isDisabled(target.element)) return;
  throw unready(target, 'disabled', 'is disabled. Do first what enables it.', context);
}

/** `disabled` is inherited from a fieldset, `aria-disabled` and `inert` from any ancestor. */
function isDisabled(element: Element): boolean {
  return (
    element.matches(':disabled') ||
    lineOf(element).some((outer) => outer.matches('[inert], [aria-disabled=true]'))
  );
}

export function requireEditable(target: Target, context: ActionContext): void {
  const { element } = target;
  const isReadOnly = element.matches('[readonly], [aria-readonly=true]');
  const isWritable = isInput(element) || isTextArea(element) || isEditable(element);
  if (isWritable && !isReadOnly) return;
  const problem = `takes no text${isReadOnly ? ': it is read-only' : ''}.`;
  throw unready(target, 'not_editable', problem, context);
}

/** Visible and enabled. */
export function requireUsable(target: Target, context: ActionContext, isSeen = isVisible): void {
  requireVisible(target, context, isSeen);
  requireEnabled(target, context);
}

export function requireVisible(target: Target, context: ActionContext, isSeen = isVisible): void {
  if (isSeen(pressTarget(target.element))) return;
  throw unready(target, 'hidden', 'is in the page but hidden. Open what it is in first.', context);
}

/**
 * Scrolls the element into view and finds a point to press; refuses when it is covered. Synchronous unless it
 * moves: a sliding panel is pressed where it stops.
 */
export function requirePressable(target: Target, context: ActionContext): PressPoint | Promise<PressPoint> {
  const { element } = target;
  const hit = hitTest(element, context.shadowRootOf);
  const free = isFree(hit) ? hit : undefined;
  // An element that can be hit has a size.
  requireUsable(target, context, free && isRendered);
  if (free === undefined) show(element, 'nearest');
  return onceStill(target, context, (isFirst) => freePoint(target, context, isFirst ? free : undefined));
}

/** At once, or where a moving element stops. */
export function onceStill<Found>(
  target: Target,
  context: ActionContext,
  find: (isFirst: boolean) => Found,
): Found | Promise<Found> {
  return movesFor(target.element) > 0 ? untilStill(target, context).then(() => find(false)) : find(true);
}

function freePoint(
  target: Target,
  context: ActionContext,
  first = hitTest(target.element, context.shadowRootOf),
): PressPoint {
  const { element } = target;
  const hit = isFree(first) ? first : (retryElsewhere(element, context) ?? first);
  if (hit.outOfSight === true) throw unready(target, 'off_screen', 'cannot be scrolled into view.', context);
  if (hit.coveredBy !== undefined) throw covered(target, hit.coveredBy, context);
  return { point: hit.point, element };
}

const isFree = ({ coveredBy, outOfSight }: Hit): boolean => coveredBy === undefined && outOfSight !== true;

/** A sticky header covers an element scrolled just under it: the other edge, or the middle, may be free. */
function retryElsewhere(element: Element, { shadowRootOf }: ActionContext): Hit | undefined {
  for (const block of ['center', 'end', 'start'] as const) {
    show(element, block);
    const hit = hitTest(element, shadowRootOf);
    if (isFree(hit)) return hit;
  }
  return undefined;
}

/** Names the dialog, not the paragraph in it at that point. */
export function covered(target: Target, cover: Element, context: ActionContext): PageError {
  const named = cover.closest('dialog, [role=dialog], [role=alertdialog], [aria-modal], [popover]') ?? cover;
  const by = describe(named, context);
  const evidence = { cover: by, cover_id: context.registry.idOf(named) };
  return unready(target, 'covered', `is covered by ${by}. Close or move that first.`, context, evidence);
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
async function untilStill(target: Target, context: ActionContext): Promise<void> {
  const { clock } = context;
  const { id, element } = target;
  const begunAt = clock.now();
  for (let left = movesFor(element); left > 0; ) {
    const place = pointOf(element);
    const last = left;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, FRAME_MS));
    left = movesFor(element);
    const took = clock.now() - begunAt;
    // Nothing moves before the next frame, which is late on a busy machine. A hidden page renders none.
    const isUnseen = document.hidden && took > LATE_FRAME_MS;
    if (pointOf(element) === place && (left < last || isUnseen)) break;
    if (took >= STILL_TIMEOUT_MS) throw unready(target, 'moving', 'does not stand still.', context);
  }
  if (stillSame(target, context)) return;
  const message = `The element changed while it was waited for: nothing was done. Take a new snapshot.`;
  throw refusal('state_mismatch', 'changed_identity', message, { id });
}

function pointOf(element: Element): string {
  return JSON.stringify(element.getBoundingClientRect());
}
